import type { Completion, Result } from '@braidwork/core'
import type { FinishReason, Termination } from '@braidwork/plugin'
import type { Suspension } from './approvals.ts'
import type { LegCompaction } from './compaction/index.ts'

/** The result of all steps together: the messages of models and tools, and the sum of the usage. */
export type RunResult = Result & RunFacts

/** What the result of a run says beside that of a request. */
export interface RunFacts {
  readonly runId: string
  readonly steps: number
  /** Why the run ended, beside its status. AW-67 */
  readonly termination: Termination
  /** Present if calls wait for approvals. Pass it as `resume`, with the verdicts, to continue. */
  readonly suspension?: Suspension
  /** What the run compacted of its own steps, in this leg. `messages` has all messages anyway. */
  readonly compactions?: readonly LegCompaction[]
}

/** How a run ended. */
export type RunEnding = Completion & {
  readonly finishReason: FinishReason
  readonly termination?: Termination
}

/** Whether a run came to its end, of all that is known about its ending. */
export function completionOf({ status, error }: RunEnding): Completion {
  return status === 'done' ? { status } : { status, error }
}
