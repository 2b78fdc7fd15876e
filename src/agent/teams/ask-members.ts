import type { CallOutcome } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import { type AgentCall, type Asking, cancelled, type Delegate } from '../children/index.ts'
import { partFor } from './team.ts'

/** Those whom a call asks, in order. */
export interface Asked {
  readonly call: AgentCall
  readonly asking: Asking
  readonly members: readonly Delegate[]
  /** Asks one after the other, and stops at the first error. */
  readonly isFailFast: boolean
}

/**
 * Asks members, and returns what became of it with each of them, in order. Without fail-fast they work at the same time.
 * Where members ask a person, the call waits with one question after the other. AL-13, AL-14
 */
export async function askMembers(asked: Asked): Promise<CallOutcome> {
  const { call, asking, members } = asked
  const outcomes = await (asked.isFailFast ? inTurn(asked) : atOnce(asked))
  if (asking.signal.aborted) return cancelled()
  const waiting = outcomes.find(({ question }) => question)
  if (waiting && call.canAsk !== false) {
    for (const [at, outcome] of outcomes.entries()) {
      if (!outcome.question) asking.keepEnded(call.callId, members[at]?.id ?? '', outcome)
    }
    return waiting
  }
  const output = members.map(({ id }, at) => resultOf(id, outcomes[at]))
  return { state: 'succeeded', output }
}

function atOnce(asked: Asked): Promise<readonly CallOutcome[]> {
  const answered = answeredMember(asked)
  return Promise.all(asked.members.map((member) => askOne(member, asked, member === answered)))
}

async function inTurn(asked: Asked): Promise<readonly CallOutcome[]> {
  const answered = answeredMember(asked)
  const outcomes: CallOutcome[] = []
  for (const member of asked.members) {
    const outcome = await askOne(member, asked, member === answered)
    outcomes.push(outcome)
    if (outcome.state !== 'succeeded') break
  }
  return outcomes
}

/** The member whose question the answer of the call is for: the first one that waits. */
function answeredMember({ call, asking, members }: Asked): Delegate | undefined {
  return members.find(({ id }) => asking.isWaiting(call.callId, id))
}

async function askOne(
  member: Delegate,
  { call, asking }: Asked,
  isAnswered: boolean,
): Promise<CallOutcome> {
  const { answer, ...rest } = call
  const part = partFor(member, isAnswered && answer ? { ...rest, answer } : rest)
  return asking.takeEnded(call.callId, member.id) ?? asking.ask(member, part)
}

/** What a leader is told of a member. */
function resultOf(agent: string, outcome: CallOutcome | undefined): object {
  if (!outcome) return { agent, status: 'not_asked' }
  const { state, output } = outcome
  if (state === 'succeeded') return { agent, status: 'done', text: output }
  return isObject(output) ? output : { agent, status: 'refused', message: output }
}
