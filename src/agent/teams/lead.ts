import { type CallOutcome, failure } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import {
  type AgentCall,
  type Asking,
  type ChildFailure,
  cancelled,
  type Delegate,
} from '../children/index.ts'
import { partFor } from './team.ts'

/** What became of a leader that makes way for another one. AL-14 */
const REPLACED: ReadonlySet<unknown> = new Set<ChildFailure['status']>([
  'failed',
  'timed_out',
  'refused',
])
/** The codes of refusals that every other leader would meet too. */
const OF_ALL: ReadonlySet<unknown> = new Set(['TOO_DEEP', 'TOO_MANY'])

/**
 * Gives a task to the leader of a team. If it fails, the next member that is able takes over the task. The result says
 * who led, and what became of those before. AL-14
 * @param leaders the members that can lead, in the order of their election
 */
export async function lead(
  call: AgentCall,
  asking: Asking,
  leaders: readonly Delegate[],
): Promise<CallOutcome> {
  const before: ChildFailure[] = []
  for (const leader of leaders) {
    const outcome =
      asking.takeEnded(call.callId, leader.id) ?? (await asking.ask(leader, partFor(leader, call)))
    if (asking.signal.aborted) return cancelled()
    const fault = faultIn(outcome)
    if (fault && !outcome.question && isReplaced(fault)) before.push(fault)
    else {
      if (outcome.question) keep(before, call, asking)
      return ledBy(leader.id, outcome, before)
    }
  }
  return failure('execution_failed', {
    status: 'failed',
    code: 'NO_LEADER',
    message: 'No member of the team could lead it.',
    replaced: before,
  })
}

function isReplaced({ status, code }: ChildFailure): boolean {
  return REPLACED.has(status) && !OF_ALL.has(code)
}

/** Keeps who has failed while the present leader waits for a person. */
function keep(before: readonly ChildFailure[], { callId }: AgentCall, asking: Asking): void {
  for (const fault of before) {
    asking.keepEnded(callId, fault.agent, failure('execution_failed', fault))
  }
}

function ledBy(leader: string, outcome: CallOutcome, before: readonly ChildFailure[]): CallOutcome {
  const replaced = before.length > 0 ? { replaced: before } : {}
  const { state, output } = outcome
  if (state === 'succeeded') return { state, output: { leader, text: output, ...replaced } }
  return isObject(output) ? { ...outcome, output: { ...output, leader, ...replaced } } : outcome
}

function faultIn({ state, output }: CallOutcome): ChildFailure | undefined {
  return state !== 'succeeded' && isObject(output) ? (output as unknown as ChildFailure) : undefined
}
