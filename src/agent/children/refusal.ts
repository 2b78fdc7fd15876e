import { type CallOutcome, didYouMean } from '@braidwork/core/internal'
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
  const empty = emptyPrompt(call, agent)
  if (empty) return empty
  if (!isSubagent && above.includes(agent)) {
    const circle = [...above.slice(above.indexOf(agent)), agent].join(' → ')
    return refused('CIRCLE', `The agent "${agent}" already works on this: ${circle}.`)
  }
  if (depth <= MOST_DEPTH) return undefined
  return refused('TOO_DEEP', `A run may stand at most ${MOST_DEPTH} runs below its root.`)
}

/** The outcome of a call without a task. Undefined if it has one. @param kind what the call asks */
export function emptyPrompt(
  call: AgentCall,
  agent: string,
  kind: 'agent' | 'team' = 'agent',
): CallOutcome | undefined {
  if (promptOf(call).trim() !== '') return undefined
  const message = `The prompt for the ${kind} "${agent}" is empty. Say what it is to do.`
  return failed({ agent, status: 'refused', code: 'PROMPT_EMPTY', message }, 'invalid_arguments')
}

/** The outcome of a call for which the tree of runs has no run left. @param most how many it may have */
export function tooMany(agent: string, most: number): CallOutcome {
  const message = `A run may have at most ${most} runs below it, and these have begun. Go on without another agent.`
  return failed({ agent, status: 'refused', code: 'TOO_MANY', message }, 'policy_blocked')
}

/** What a call asks its agent. */
export function promptOf({ input }: AgentCall): string {
  const prompt = isObject(input) ? input['prompt'] : undefined
  return typeof prompt === 'string' ? prompt : ''
}

/** The only tools that a call lets its agent use. Undefined if it names none. */
export function toolsOf({ input }: AgentCall): readonly string[] | undefined {
  const tools = isObject(input) ? input['tools'] : undefined
  return Array.isArray(tools) ? tools.map(String) : undefined
}

/** The outcome of a task that names tools which its agent does not have. Undefined if it has them all. */
export function unknownTools(
  agent: string,
  call: AgentCall,
  offered: readonly { readonly name: string }[],
): CallOutcome | undefined {
  const names = offered.map(({ name }) => name)
  const missing = toolsOf(call)?.find((name) => !names.includes(name))
  if (missing === undefined) return undefined
  const message = `The task names the tool "${missing}", which you do not have.${didYouMean(missing, names)}`
  return failed({ agent, status: 'refused', code: 'TOOL_UNKNOWN', message }, 'invalid_arguments')
}
