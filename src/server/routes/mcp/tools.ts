import { HostError } from '@braidwork/plugin'
import { type CallableTools, NO_TOOLS } from '../../runs/index.ts'
import { agentTool, hostTool, type McpTool, nameBeside, toolNames } from '../../wire/mcp/index.ts'
import { type McpCaller, type McpTarget, PROTOCOL } from './caller.ts'

/**
 * The published agents that a caller may use, as tools, and after them the tools of one agent, if the server's config
 * names it.
 * @throws {HostError} STORAGE_FAILED, and the errors of opening the agent's config
 */
export async function listTools(caller: McpCaller): Promise<readonly McpTool[]> {
  const agents = await agentsOf(caller)
  const known = new Map(agents.map((agent) => [agent.name, agent]))
  const names = toolNames([...known.keys()])
  const asked = [...names].flatMap(([name, id]) => {
    const agent = known.get(id)
    return agent ? [agentTool(agent, name)] : []
  })
  const { tools: own } = await ownTools(caller)
  return [...asked, ...own.map((tool) => hostTool(tool, nameBeside(names, tool.name)))]
}

/**
 * Finds what is behind the name of a tool: what to call, or why it is not there. Undefined for a name of nothing.
 * @throws {HostError} the errors of {@link listTools}
 */
export async function targetOf(
  caller: McpCaller,
  name: string,
): Promise<McpTarget | string | undefined> {
  const agents = await agentsOf(caller)
  const names = toolNames(agents.map((agent) => agent.name))
  const agent = names.get(name)
  if (agent !== undefined) return { agent }
  const { mcpTools } = caller.services
  const { tools, reasonAgainst } = await ownTools(caller)
  const tool = tools.find((one) => nameBeside(names, one.name) === name)
  if (!tool) return reasonAgainst(name)
  return mcpTools === undefined ? undefined : { agent: mcpTools, tool }
}

async function agentsOf({ services, identity }: McpCaller) {
  return (await services.catalog.listFor(identity)).filter(({ isMinor }) => !isMinor)
}

/** The tools that clients may call themselves. A caller who may not use their agent has none. */
async function ownTools({ services, identity, headers }: McpCaller): Promise<CallableTools> {
  const { mcpTools: agent, runs } = services
  if (agent === undefined) return NO_TOOLS
  try {
    return await runs.work.plans.toolsFor(identity, { agent, protocol: PROTOCOL, headers })
  } catch (error) {
    if (HostError.is(error) && error.code === 'MODEL_UNPUBLISHED') return NO_TOOLS
    throw error
  }
}
