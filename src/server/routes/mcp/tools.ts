import { agentTool, type McpTool, toolNames } from '../../wire/mcp/index.ts'
import type { McpCaller } from './caller.ts'

/** The published agents that a caller may use, as tools. @throws {HostError} STORAGE_FAILED */
export async function listTools(caller: McpCaller): Promise<readonly McpTool[]> {
  const agents = await agentsOf(caller)
  const known = new Map(agents.map((agent) => [agent.name, agent]))
  return [...toolNames([...known.keys()])].flatMap(([name, id]) => {
    const agent = known.get(id)
    return agent ? [agentTool(agent, name)] : []
  })
}

/** Finds the agent behind the name of a tool. @throws {HostError} STORAGE_FAILED */
export async function agentBehind(caller: McpCaller, tool: string): Promise<string | undefined> {
  const agents = await agentsOf(caller)
  return toolNames(agents.map(({ name }) => name)).get(tool)
}

async function agentsOf({ services, identity }: McpCaller) {
  return (await services.catalog.listFor(identity)).filter(({ isMinor }) => !isMinor)
}
