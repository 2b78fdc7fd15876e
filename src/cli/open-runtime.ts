import type { AgentRuntime } from '@braidwork/agent'
import { declaredRuntime } from '@braidwork/agent/internal'
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
  const { host, declared } = opened
  const backends = await backendsFor(declared)
  return { ...opened, ...(await declaredRuntime(host, declared, { backends })) }
}
