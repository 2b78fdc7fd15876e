import type { Result, ResultStatus } from '@braidwork/core'
import type { EventStream } from '@braidwork/core/internal'
import type { FinishReason, RunEvent, RunEventBody, Termination } from '@braidwork/plugin'
import type { Suspension } from './approvals.ts'
import type { CompactedHistory, LegCompaction } from './compaction/index.ts'

/** The result of all steps together: the messages of models and tools, and the sum of the usage. */
export type RunResult = Result & {
  readonly runId: string
  readonly steps: number
  /** Why the run ended, beside its status. AW-67 */
  readonly termination: Termination
  /** Present if calls wait for approvals. Pass it as `resume`, with the verdicts, to continue. */
  readonly suspension?: Suspension
  /** What the run compacted of its own steps, in this leg. `messages` has all messages anyway. */
  readonly compactions?: readonly LegCompaction[]
  /** What the last compaction of the run left, of this leg or of an earlier one. See `messagesAfter`. */
  readonly compacted?: CompactedHistory
}

export type RunStream = EventStream<RunEvent, RunResult, RunEventBody>

/** How a run ended. */
export type RunEnding = ResultStatus & {
  readonly finishReason: FinishReason
  readonly termination?: Termination
}

/** The status of the result of a run that ends so. */
export function statusOf({ status, error }: RunEnding): ResultStatus {
  return status === 'done' ? { status } : { status, error }
}
