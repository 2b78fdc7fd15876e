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

/** The tools that a run of an agent could call now. */
export interface CallableTools {
  /** Under the names that a model uses. */
  readonly tools: readonly ToolSchema[]
  /** Why a tool of a server is not there now. Undefined for one that the agent would not have otherwise. */
  readonly reasonAgainst: (name: string) => string | undefined
}

/** The tools that an agent of another server lets its callers call. */
export const NO_TOOLS: CallableTools = { tools: [], reasonAgainst: () => undefined }

/** Finds the tools that a run of an agent could call now. @throws {HostError} those of `host.open` */
export async function callableTools(
  host: Host,
  { config, withholds, modelInfo, active }: AgentPlan,
): Promise<CallableTools> {
  using opened = await host.open(config, {
    ...(withholds ? { withholds } : {}),
    ...(modelInfo ? { modelInfo } : {}),
    ...(active ? { active } : {}),
  })
  const { inventory } = opened
  return {
    tools: opened.tools.map(({ schema }) => schema),
    reasonAgainst: (name) => inventory.find((tool) => isAway(tool, name))?.reason,
  }
}

/** What a tool of an inventory is called that stands for all tools of a server which nobody has seen. */
const PLACEHOLDER = /__unavailable$/

/** Whether a tool, or all tools of its server, are not there. A tool that is withheld has a code. */
function isAway(tool: InventoryTool, name: string): boolean {
  const { tool_name: known, policy, runtime_owner: owner, why } = tool
  if (owner !== 'mcp_server' || policy !== 'unavailable' || why !== undefined) return false
  return (
    known === name || (PLACEHOLDER.test(known) && name.startsWith(known.replace(PLACEHOLDER, '__')))
  )
}
