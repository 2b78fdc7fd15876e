import type { AgentPlan } from '@braidwork/agent/internal'
import { type Host, memoryResults, type PluginTool } from '@braidwork/core'
import type { InventoryTool, ToolSchema } from '@braidwork/plugin'

/** The tools that an agent is offered, with the plugins' own schemas. @throws {HostError} those of `host.toolSchemas` */
export async function offeredTools(
  host: Host,
  { config, withholds }: AgentPlan,
): Promise<readonly PluginTool[]> {
  const tools = await host.toolSchemas(config)
  if (!withholds) return tools
  return tools.filter((tool) => {
    const { name, plugin, ownName = name } = tool
    return withholds({ name, ownName, plugin }) === undefined
  })
}

/** Every registered tool, with the reason why an agent is not offered it. @throws {HostError} those of `host.open` */
export async function toolInventory(
  host: Host,
  { config, withholds }: AgentPlan,
): Promise<readonly InventoryTool[]> {
  const withheld = withholds ? { withholds } : {}
  using opened = await host.open(config, { results: memoryResults(), ...withheld })
  return opened.inventory
}

/** The tools that a run of an agent could call now, under the names that a model uses. @throws {HostError} those of `host.open` */
export async function callableTools(
  host: Host,
  { config, withholds, modelInfo, active }: AgentPlan,
): Promise<readonly ToolSchema[]> {
  using opened = await host.open(config, {
    ...(withholds ? { withholds } : {}),
    ...(modelInfo ? { modelInfo } : {}),
    ...(active ? { active } : {}),
  })
  return opened.tools.map(({ schema }) => schema)
}
