import type { Storage } from '@braidwork/agent'
import { declaredRuntime } from '@braidwork/agent/internal'
import { agentConfig, SPECS_OWNER } from '@braidwork/server/internal'
import type { OpenHost } from './open-host.ts'

/**
 * The ids of the agents that a server publishes, beside its models.
 * @param published `server.agents` of the config
 * @param storage the storage of the server; without it, agents in the storage are not known
 */
export async function agentNames(
  { host, declared }: Pick<OpenHost, 'host' | 'declared'>,
  published: readonly string[] | undefined,
  storage?: Storage,
): Promise<readonly string[]> {
  const { runtime } = await declaredRuntime(host, declared)
  const ids = runtime.agents.map(({ id }) => id).filter((id) => published?.includes(id) ?? true)
  const stored = storage ? await storage.agents.list(SPECS_OWNER) : []
  return [...ids, ...stored.map(({ id }) => id)]
}

/** The configs of the declared agents that can run here. */
export async function* agentConfigs({ host, declared }: Pick<OpenHost, 'host' | 'declared'>) {
  const { runtime } = await declaredRuntime(host, declared)
  for (const { id } of runtime.agents) {
    const config = await agentConfig(runtime, id)
    if (config) yield config
  }
}
