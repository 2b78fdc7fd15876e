import type { Message, Usage } from '@braidwork/plugin'
import type { Resumption, Suspension } from '../approvals.ts'
import type { LegCompaction } from '../compaction/index.ts'
import type { Interruption } from '../interruption.ts'
import type { RunPlace } from '../storage/index.ts'
import type { EndedChild } from './child-outcome.ts'

/** A child run that a process began which has ended since. */
export type LeftChild = {
  readonly runId: string
  /** What its present leg has used, which its parent has not counted. */
  readonly usage: Usage
  /** What its present leg has said. */
  readonly messages: readonly Message[]
} & (
  | { readonly state: 'ended'; readonly end: Omit<EndedChild, 'messages'> }
  | {
      readonly state: 'waiting'
      readonly suspension: Suspension
      /** The last compaction of its present leg. */
      readonly compaction?: LegCompaction
    }
  | { readonly state: 'interrupted'; readonly interruption: Interruption }
)

/**
 * Finds the child run of a call by its place. One that was in the middle of its work belongs to this process from then
 * on.
 * @param answered the answers with which the child was to go on, if its parent has them
 */
export type FindLeftChild = (
  place: RunPlace,
  answered: Resumption | undefined,
) => Promise<LeftChild | undefined>
