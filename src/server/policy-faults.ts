import type { AgentPlan } from '@braidwork/agent/internal'
import type { ConfigLayer, Host } from '@braidwork/core'
import { type NamedTool, namedTools, unusedPolicies } from '@braidwork/core/internal'
import { type Diagnostic, HostError, type Log } from '@braidwork/plugin'
import type { CatalogParts } from './catalog.ts'
import { untold } from './published.ts'

/** Logs the policies and names in the host's own config for tools that none of the models and agents of a server has. */
export async function tellPolicies(host: Host, parts: CatalogParts, log: Log): Promise<void> {
  for (const { code, message } of await policyFaults(host, configsOf(parts)))
    log({ level: 'warn', message, code })
}

/** The config of an agent. One that cannot run, or runs elsewhere, has none. */
export async function agentConfig(
  from: { plan(id: string): Promise<AgentPlan | undefined> },
  id: string,
): Promise<ConfigLayer | undefined> {
  try {
    const plan = await from.plan(id)
    return plan?.remote ? undefined : plan?.config
  } catch (error) {
    if (HostError.is(error)) return undefined
    throw error
  }
}

/** The configs of models and agents. */
async function* configsOf({ models, declared, stored }: CatalogParts) {
  for (const { config } of models) yield config
  for (const source of [
    { ids: async () => declared.runtime.agents.map(({ id }) => id), from: declared.runtime },
    { ids: async () => (await stored.listed()).map(({ name }) => name), from: stored },
  ]) {
    for (const id of await source.ids()) {
      const config = await agentConfig(source.from, id)
      if (config) yield config
    }
  }
}

/**
 * Warns of policies and names in the host's own config for tools that nobody has: neither that config nor one of those
 * that lie over it. Where one of these has a fault, its tools are not known, and nothing is said.
 * @param layers the configs of published models and agents; read only as far as needed
 */
export async function policyFaults(
  host: Host,
  layers: AsyncIterable<ConfigLayer> | Iterable<ConfigLayer>,
): Promise<readonly Diagnostic[]> {
  const { config } = host
  if (!config.tool_policy && !config.tool_names) return []
  try {
    const { diagnostics } = await host.resolve()
    const tools = await toolsOf(host, {})
    for await (const layer of layers) {
      if (unusedPolicies(config, tools).length === 0) return []
      tools.push(...(await toolsOf(host, layer)))
    }
    return untold(unusedPolicies(config, tools), diagnostics)
  } catch (error) {
    if (HostError.is(error)) return []
    throw error
  }
}

async function toolsOf(host: Host, config: ConfigLayer): Promise<NamedTool[]> {
  return [...namedTools(await host.toolSchemas(config, { inventory: true }))]
}
