import type { AgentSpec } from '../../../src/agent/index.ts'
import { agent, endsIn, read, type Team, teamOf } from '../children/team.ts'

export type TeamSpec = NonNullable<AgentSpec['team']>

/** A call of a tool of the team of "boss". */
export function calls(tool: string, input: object) {
  return { name: `team_${tool}_boss`, input }
}

/** An agent that makes calls in its first step, and then says that it is over. */
export function caller(id: string, made: readonly object[], spec: Partial<AgentSpec> = {}) {
  const first = { when: { step: 1 }, then: { tool_calls: made } }
  return agent(id, [first, { then: { text: `${id} is done.` } }], spec)
}

/** The agent "boss", which leads a team of others itself. */
export function boss(made: readonly object[], members: TeamSpec['members']): AgentSpec {
  return caller('boss', made, { team: { leader: 'boss', members } })
}

/** What the calls of the agent "boss" ended with, one after another. */
export async function outcomesOf(
  agents: readonly AgentSpec[],
  more: Partial<Team> = {},
  options = {},
) {
  await using team = await teamOf({ ...more, agents })
  const stream = await team.runtime.run('boss', { messages: 'go', ...options })
  const events = await read(stream)
  const result = await stream.result
  return { ends: endsIn(events).map(([, output]) => output), events, result }
}
