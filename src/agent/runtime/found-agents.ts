import type { AgentSpec } from '../specs/index.ts'
import type { Reference, Registry } from './registry.ts'

/** An agent that an id means. */
export interface FoundAgent {
  readonly spec: AgentSpec
  /** Why the id might mean another one. */
  readonly warnings: readonly string[]
}

/**
 * Finds the agent that an id means. A plain id is a local agent, or else an agent of the first source that has one of
 * that name; `source/name` is exact. AW-54
 * @throws {HostError} AGENT_NOT_FOUND
 */
export function findAgent(
  agents: Registry<AgentSpec>,
  id: string,
  reference?: Reference,
): FoundAgent {
  const others = agents.ids.filter((one) => one.endsWith(`/${id}`))
  const all = agents.has(id) ? [id, ...others] : others
  const [first = id, ...rest] = all
  const spec = agents.get(first, reference)
  if (rest.length === 0) return { spec, warnings: [] }
  const list = rest.map((one) => `"${one}"`).join(', ')
  return { spec, warnings: [`The id "${id}" means "${first}"; there is ${list} too.`] }
}
