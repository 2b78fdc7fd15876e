import type { CallOutcome } from '@braidwork/core/internal'
import { type Message, toMessages } from '@braidwork/plugin'
import type { Resumption, Suspension } from '../approvals.ts'
import { compactedTo, leftBy } from '../compaction/index.ts'
import type { Interruption } from '../interruption.ts'
import type { AgentCall } from './child.ts'
import { childOutcome } from './child-outcome.ts'
import type { LeftChild } from './left-child.ts'
import { promptOf } from './refusal.ts'
import { resumptionIn, type WaitingChild } from './waiting-child.ts'

/** A child run that goes on: after an answer, or where it was interrupted. */
export interface ContinuedChild {
  readonly runId: string
  /** What it was asked, and what it said before its present leg. */
  readonly messages: readonly Message[]
  readonly resume: Resumption | Interruption
}

/** What becomes of a call: it has an outcome, its child waits for a person, or its child goes on. */
export type CallTakenUp =
  | { readonly outcome: CallOutcome }
  | { readonly waiting: WaitingChild }
  | { readonly continued: ContinuedChild }

/** A call with the agent that it asks, and the child that waited for its answer, if one did. */
interface AskedCall {
  readonly agent: string
  readonly call: AgentCall
  readonly waited: WaitingChild | undefined
}

/** Takes up a call whose child run exists already. Undefined if the child is still to begin. */
export function takenUp(left: LeftChild | undefined, asked: AskedCall): CallTakenUp | undefined {
  const { agent, call, waited } = asked
  if (!left || (waited && isAsItWaited(left, waited))) return waited && goneOn(waited)
  const { runId } = left
  const before = waited ? shownOf(waited) : toMessages(promptOf(call))
  switch (left.state) {
    case 'ended':
      return { outcome: childOutcome(agent, { ...left.end, messages: left.messages }) }
    case 'waiting': {
      const messages = [...before, ...left.messages]
      const suspension = suspensionIn(left, before)
      return { waiting: { agent, runId, messages, suspension, verdicts: [] } }
    }
    case 'interrupted':
      return { continued: { runId, messages: before, resume: left.interruption } }
  }
}

/** A child that its parent kept waiting goes on when all its questions are answered. */
function goneOn(waited: WaitingChild): CallTakenUp {
  const { runId, messages } = waited
  const resume = resumptionIn(waited)
  return resume ? { continued: { runId, messages, resume } } : { waiting: waited }
}

/** Whether a child has done nothing since its parent kept it. */
export function isAsItWaited(left: LeftChild, { suspension }: WaitingChild): boolean {
  return left.state === 'waiting' && left.suspension.seq === suspension.seq
}

/** What the model is shown of a child that waited. */
function shownOf({ messages, suspension: { compacted } }: WaitingChild): readonly Message[] {
  return compacted ? compactedTo(messages, compacted) : messages
}

/** What a child waits for, with what its last leg compacted. An earlier compaction is in the messages before. */
function suspensionIn(
  { suspension, compaction, messages }: Extract<LeftChild, { readonly state: 'waiting' }>,
  before: readonly Message[],
): Suspension {
  return compaction
    ? { ...suspension, compacted: leftBy(before, messages, compaction) }
    : suspension
}
