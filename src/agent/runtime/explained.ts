import type { Host } from '@braidwork/core'
import { type AgentSpec, MASKED_TOKEN } from '../specs/index.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/**
 * Describes a resolved agent as JSON: what a run uses, and why. Secrets are masked, and of the models that a run may
 * ask only their names are told, since their layers repeat the config.
 */
export function explained(host: Host, agent: ResolvedAgent): object {
  const { reasonAgainst: _, hookTools: __, spec, config, routing, ...rest } = agent
  const candidates = routing.candidates.map(({ choice }) => choice)
  return {
    spec: maskedSpec(host, spec),
    config: host.masked(config),
    ...rest,
    routing: { ...routing, candidates },
  }
}

/** A spec with the secrets of its config and of its endpoint masked. */
export function maskedSpec(host: Host, spec: AgentSpec): AgentSpec {
  const { config, endpoint } = spec
  return {
    ...spec,
    ...(config ? { config: host.masked(config) } : {}),
    ...(endpoint?.auth
      ? { endpoint: { ...endpoint, auth: { ...endpoint.auth, token: MASKED_TOKEN } } }
      : {}),
  }
}
