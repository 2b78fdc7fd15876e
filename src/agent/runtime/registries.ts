import type { Host } from '@braidwork/core'
import type { EnvironmentHooks } from '../environment-hooks/index.ts'
import type { AgentSpec, ModelPool, ModelSpec } from '../specs/index.ts'
import type { Registry } from './registry.ts'
import type { Backends } from './remote-agents.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/** A pool whose models are all registered. */
export type RegisteredPool = Omit<ModelPool, 'candidates'> & {
  readonly candidates: readonly string[]
}

/** What the resolution of an agent reads. AW-15 */
export interface Registries {
  readonly host: Host
  readonly agents: Registry<AgentSpec>
  readonly models: Registry<ModelSpec>
  readonly pools: Registry<RegisteredPool>
  readonly hooks: EnvironmentHooks
  /** How agents are run that run elsewhere. */
  readonly backends: Backends
  /** Says why no agent is offered a tool, whatever its catalog. */
  readonly reasonAgainst?: ResolvedAgent['reasonAgainst']
}
