import { type ConfigLayer, mergeLayers } from '@braidwork/core'
import { isObject, type Log } from '@braidwork/plugin'
import { agentDiagnostics } from '../agent-diagnostics.ts'
import { jsonText, visible } from '../characters.ts'
import { EXIT, reportDiagnostics } from '../exit.ts'
import { type OpenHost, openHost } from '../open-host.ts'
import { declaredAgents } from '../open-runtime.ts'
import { type ConfigOptions, loadConfig } from '../options.ts'
import { stylesOf, table } from '../terminal.ts'

export interface McpOptions extends ConfigOptions {
  readonly json?: boolean
  /** The agent whose config counts. By default that of the host does. */
  readonly agent?: string
}

/** A server of the config, with what it offers here. */
interface ServerState {
  readonly name: string
  /** The names of the tools on offer. */
  readonly tools: readonly string[]
  /** What is not on offer, and why. */
  readonly faults: readonly string[]
}

/** `braidwork mcp list`: the servers with their tools, or the reason why they are not there. */
export async function mcpListCommand(options: McpOptions): Promise<number> {
  const { servers, off } = await serverStates(options)
  if (options.json) process.stdout.write(`${jsonText(servers, 2)}\n`)
  else if (servers.length > 0) {
    const rows = servers.map(({ name, tools, faults }) => [
      visible(name),
      String(tools.length),
      visible([...tools, ...faults].join(', ')),
    ])
    process.stdout.write(table([['SERVER', 'TOOLS', ''], ...rows], stylesOf(process.stdout).dim))
  }
  return off === undefined ? EXIT.ok : reportOff(off)
}

/** `braidwork mcp check`: what is wrong with each server. @returns 1 if one is not as it should be */
export async function mcpCheckCommand(options: McpOptions): Promise<number> {
  const { servers, off } = await serverStates(options)
  if (off !== undefined) return reportOff(off)
  const { red } = stylesOf(process.stderr)
  const faulty = servers.filter(({ faults }) => faults.length > 0)
  for (const { name, tools } of servers.filter(({ faults }) => faults.length === 0))
    process.stdout.write(`${visible(name)}: ${tools.length} tools\n`)
  for (const { name, faults } of faulty)
    for (const fault of faults)
      process.stderr.write(`${red('error')} ${visible(name)}: ${visible(fault)}\n`)
  return faulty.length > 0 ? EXIT.failed : EXIT.ok
}

function reportOff(reason: string): number {
  process.stderr.write(`No MCP server is used: ${visible(reason)}\n`)
  return EXIT.failed
}

interface States {
  readonly servers: readonly ServerState[]
  /** Why no server is used. */
  readonly off?: string
}

async function serverStates(options: McpOptions): Promise<States> {
  const opened = await openHost(options, { log: showWords })
  const { host, diagnostics } = opened
  await using _ = host
  const config = await configOf(opened, options)
  reportDiagnostics([...diagnostics, ...(await host.resolve(config)).diagnostics])
  const inventory = await host.toolSchemas(config, { inventory: true })
  const entries = inventory.filter(({ plugin }) => plugin === 'mcp')
  const [first] = entries
  if (!first)
    return { servers: [], off: 'the plugin "mcp" is not there. Install @braidwork/tool-mcp.' }
  const names = usedNames(options, config)
  // Servers may have resources alone. Without tools, the plugin itself stands for them.
  const isOff = first.why?.code !== 'TOOLS_MISSING' || names.length === 0
  if (first.tool_name === 'mcp' && isOff)
    return { servers: [], off: `${first.reason ?? 'it is off'}.` }
  const servers = names.map((name) => {
    const own = entries.filter((entry) => serverOf(entry.metadata_ref, names) === name)
    const faults = own.flatMap(({ offered, tool_name: tool, reason }) => {
      if (offered) return []
      return [tool.endsWith('__unavailable') ? `${reason}` : `${tool}: ${reason}`]
    })
    return {
      name,
      tools: own.filter(({ offered }) => offered).map((entry) => entry.tool_name),
      faults,
    }
  })
  return { servers }
}

/** Prints why a server failed: only the log has what its process wrote. */
const showWords: Log = ({ level, message, plugin }) => {
  if (level === 'error' && plugin === 'mcp') process.stderr.write(`${visible(message)}\n`)
}

/**
 * The layer over the host's config of the agent that is asked for. Reports what keeps the agent from doing what its spec says.
 * @throws {HostError} as `AgentRuntime.plan`
 */
async function configOf(opened: OpenHost, { agent }: McpOptions): Promise<ConfigLayer> {
  if (agent === undefined) return {}
  const declared = await declaredAgents(opened)
  reportDiagnostics(await agentDiagnostics(declared, agent))
  return (await declared.runtime.plan(agent)).config
}

/** The names of the servers that the config uses. Of two servers with the same name, the first one counts. */
function usedNames(options: McpOptions, config: ConfigLayer): readonly string[] {
  const { settings } = mergeLayers(loadConfig(options).config, config)
  const { servers = {}, project_servers = {}, use } = settings?.['mcp'] ?? {}
  const own = servers as object
  const all = { ...own, ...(project_servers as object), ...own }
  return Object.entries(all).flatMap(([name, server]: [string, unknown]) => {
    const isUsed = !Array.isArray(use) || use.includes(name)
    return isUsed && isObject(server) && server['disabled'] !== true ? [name] : []
  })
}

/** The server whose name a reference begins with; one name may begin with another. */
function serverOf(reference: string, names: readonly string[]): string | undefined {
  const own = names.filter((name) => {
    const prefix = `mcp.${name.replaceAll(/[^A-Za-z0-9_-]/g, '_')}__`
    return reference.startsWith(prefix)
  })
  return own.toSorted((left, right) => right.length - left.length)[0]
}
