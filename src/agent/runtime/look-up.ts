import { didYouMean, listed } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import type { AgentSpec, ModelSpec, PoolRequirements } from '../specs/index.ts'
import type { Team } from '../teams/index.ts'
import { type FoundDelegate, findDelegates } from './found-delegates.ts'
import { findTeam } from './found-team.ts'
import type { Registries } from './registries.ts'

/** An agent after the look-up: its spec, and the models that it may use. */
export interface Found {
  readonly spec: AgentSpec
  /** At least one; undefined for the model of the host's config. */
  readonly models: readonly (ModelSpec | undefined)[]
  readonly requires?: PoolRequirements
  /** The agents that it may ask. */
  readonly delegates: readonly FoundDelegate[]
  readonly team?: Team
}

/**
 * Finds an agent with its models.
 * @throws {HostError} AGENT_NOT_FOUND, SPEC_INVALID, MODEL_NOT_FOUND, AMBIGUOUS_MODEL_REFERENCE, PROVIDER_NOT_FOUND
 */
export function lookUp(registries: Registries, id: string): Found {
  const { agents, models, pools } = registries
  const spec = agents.get(id)
  const { model_id: wanted } = spec
  const team = findTeam(registries, spec)
  const asked = { delegates: findDelegates(registries, spec), ...(team ? { team } : {}) }
  if (wanted === undefined) return { spec, models: [undefined], ...asked }
  if (!pools.has(wanted)) {
    const owner = `The agent "${id}"`
    const model = models.get(wanted, { owner, more: pools.ids, pointer: '/model_id' })
    return { spec, models: [checkedProvider(registries, model)], ...asked }
  }
  if (models.has(wanted)) {
    const message = `The agent "${id}" refers to "${wanted}", which is a model and a pool. Rename one of them.`
    throw new HostError('AMBIGUOUS_MODEL_REFERENCE', message, { pointer: '/model_id' })
  }
  const { candidates, requires } = pools.get(wanted)
  const found = candidates.map((candidate) =>
    checkedProvider(registries, models.get(candidate, { owner: `The pool "${wanted}"` })),
  )
  return { spec, models: found, ...asked, ...(requires ? { requires } : {}) }
}

/** @throws {HostError} PROVIDER_NOT_FOUND */
export function checkedProvider({ host }: Pick<Registries, 'host'>, model: ModelSpec): ModelSpec {
  const providers = host.plugins.filter(({ kind }) => kind === 'provider').map(({ name }) => name)
  const { provider_id: provider } = model
  if (providers.includes(provider)) return model
  const reason = host.diagnostics.find(
    ({ level, plugin }) => level === 'error' && plugin === provider,
  )
  if (reason) {
    const message = `The model "${model.id}" refers to the provider "${provider}", which could not be loaded: ${reason.message}`
    throw new HostError('PROVIDER_NOT_FOUND', message)
  }
  const known = providers.length > 0 ? listed(providers) : 'none'
  const message = `The model "${model.id}" refers to the provider "${provider}", which is not registered; the providers are ${known}.${didYouMean(provider, providers)}`
  throw new HostError('PROVIDER_NOT_FOUND', message)
}
