import { type CallOutcome, failure } from '@braidwork/core/internal'
import { isObject } from '@braidwork/plugin'
import type { RunPlace } from '../storage/index.ts'
import type { AgentCall } from './child.ts'
import { failed } from './child-outcome.ts'
import { MOST_DEPTH } from './run-place.ts'

/**
 * The outcome of a call whose agent is not asked, and why. Undefined if it is. A subagent is the agent that asks it, so
 * for it this is no circle.
 */
export function refusal(
  place: RunPlace,
  call: AgentCall,
  isSubagent: boolean,
): CallOutcome | undefined {
  const { agent, above, depth } = place
  const refused = (code: string, message: string) =>
    failed({ agent, status: 'refused', code, message }, 'policy_blocked')
  if (promptOf(call).trim() === '') {
    const message = `The prompt for the agent "${agent}" is empty. Say what it is to do.`
    return failure('invalid_arguments', message)
  }
  if (!isSubagent && above.includes(agent)) {
    const circle = [...above.slice(above.indexOf(agent)), agent].join(' → ')
    return refused('CIRCLE', `The agent "${agent}" already works on this: ${circle}.`)
  }
  if (depth <= MOST_DEPTH) return undefined
  return refused('TOO_DEEP', `A run may stand at most ${MOST_DEPTH} runs below its root.`)
}

/** What a call asks its agent. */
export function promptOf({ input }: AgentCall): string {
  const prompt = isObject(input) ? input['prompt'] : undefined
  return typeof prompt === 'string' ? prompt : ''
}
