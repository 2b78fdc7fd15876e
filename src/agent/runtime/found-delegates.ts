import { HostError, pointerOf } from '@braidwork/plugin'
import type { AgentSpec } from '../specs/index.ts'
import { findAgent } from './found-agents.ts'
import type { Registries } from './registries.ts'
import { isRemote } from './remote-agents.ts'
import type { AgentWarning } from './resolved-agent.ts'

/** An agent that another one may ask. */
export interface FoundDelegate extends Pick<AgentSpec, 'id' | 'description'> {
  /** Why it cannot be asked: then it is left out. AW-16 */
  readonly missing?: string
}

const ITSELF =
  'The agent is its own delegate. "subagents" lets an agent run itself for a part of its work.'

/** Finds the delegates of an agent. AW-10 @throws {HostError} AGENT_NOT_FOUND */
export function findDelegates(
  { agents, backends }: Pick<Registries, 'agents' | 'backends'>,
  { id: owner, delegates = [] }: AgentSpec,
): readonly FoundDelegate[] {
  return delegates.map((wanted, at) => {
    const pointer = pointerOf(['delegates', at])
    const reference = { owner: `The agent "${owner}"`, ownerId: owner, pointer }
    const { spec } = findAgent(agents, wanted, reference)
    return foundDelegate({ backends }, spec, `The agent "${owner}" cannot ask its delegate`)
  })
}

/** An agent that may be asked, if its backend is there. AW-16 @param refusal what is said where it is not */
export function foundDelegate(
  { backends }: Pick<Registries, 'backends'>,
  spec: AgentSpec,
  refusal: string,
): FoundDelegate {
  const { id, description } = spec
  const found = { id, ...(description === undefined ? {} : { description }) }
  if (!isRemote(spec)) return found
  try {
    backends.remote(spec, [])
    return found
  } catch (error) {
    if (!HostError.is(error)) throw error
    return { ...found, missing: `${refusal} "${id}": ${error.message}` }
  }
}

/** The warnings of delegates that are left out, and of an agent that is its own. AW-16 */
export function delegateWarnings(
  agent: string,
  delegates: readonly FoundDelegate[],
): readonly AgentWarning[] {
  const place = { agent, field: 'delegates' } as const
  return delegates.flatMap(({ id: entry, missing: message }) => {
    if (message !== undefined) return { code: 'DELEGATE_LEFT_OUT', ...place, entry, message }
    return entry === agent ? { code: 'DELEGATE_ITSELF', ...place, entry, message: ITSELF } : []
  })
}
