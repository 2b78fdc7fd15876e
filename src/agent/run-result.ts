import type { Result } from '@braidwork/core'
import type { HostError, Termination } from '@braidwork/plugin'
import type { Suspension } from './approvals.ts'
import type { LegCompaction } from './compaction/index.ts'

/** The result of all steps together: the messages of models and tools, and the sum of the usage. */
export interface RunResult extends Result {
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
export type RunEnding = Pick<Result, 'status' | 'finishReason'> & {
  readonly error?: HostError
  readonly termination?: Termination
}
