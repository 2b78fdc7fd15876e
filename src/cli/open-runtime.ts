import type { AgentRuntime, RuntimeOptions } from '@braidwork/agent'
import type { DeclaredRuntime } from '@braidwork/agent/internal'
import type { HostError } from '@braidwork/plugin'
import { backendsFor } from './backends.ts'
import { type OpenHost, openHost } from './open-host.ts'
import type { ConfigOptions } from './options.ts'

/** A host with the agents that its config, and the files beside it, declare. */
export interface OpenRuntime extends OpenHost {
  readonly runtime: AgentRuntime
  /** The faults of specs that are not valid. */
  readonly faults: readonly HostError[]
}

export async function openRuntime(options: ConfigOptions): Promise<OpenRuntime> {
  const opened = await openHost(options)
  return { ...opened, ...(await declaredAgents(opened)) }
}

/** The runtime of the agents that are declared, also of those that run elsewhere. It is loaded here only: it takes time. */
export async function declaredAgents(
  { host, declared }: Pick<OpenHost, 'host' | 'declared'>,
  around: Pick<RuntimeOptions, 'environment'> = {},
): Promise<DeclaredRuntime> {
  const { declaredRuntime } = await import('@braidwork/agent/internal')
  const backends = await backendsFor(declared)
  return declaredRuntime(host, declared, { ...around, backends })
}
