import type { ConfigLayer } from '../../../src/core/config/layers.ts'
import type { Host } from '../../../src/core/host/index.ts'
import type { OpenedConfig } from '../../../src/core/host/opened-config.ts'
import type { ToolExecution } from '../../../src/core/host/tools/tool-execution.ts'
import type { InventoryTool } from '../../../src/plugin/index.ts'
import mcp from '../../../tools/mcp/index.ts'
import { scriptedHost } from '../../helpers/hosts.ts'

export { rawServer, sdkServer } from './servers.ts'

/** A config with these servers. */
export function serversConfig(servers: object, more: object = {}): ConfigLayer {
  return { enabled_plugins: ['mcp'], settings: { mcp: { servers, start: 10, ...more } } }
}

export async function mcpHost(servers: object, more: object = {}): Promise<Host> {
  return await scriptedHost([mcp], serversConfig(servers, more))
}

/**
 * Keeps hosts until the tests of a suite are over: servers that run the same are one process for as long as no host
 * ends, and need not be started for each test.
 */
export function keepHosts(): (made: Promise<Host>) => Promise<Host> {
  const hosts: Host[] = []
  after(async () => {
    for (const host of hosts) await host.close()
  })
  return async (made) => {
    const host = await made
    hosts.push(host)
    return host
  }
}

/** Calls a tool of an opened config, by its name here. */
export async function callOf(
  opened: OpenedConfig,
  name: string,
  input: object = {},
  execution: ToolExecution = {},
) {
  return await opened.execute({ type: 'tool-call', callId: name, name, input }, execution)
}

/** Opens the config of a host, and calls a tool of it. */
export async function callOn(host: Host, name: string, input: object = {}) {
  using opened = await host.open()
  return await callOf(opened, name, input)
}

/** The inventory's entries of the tool plugin `mcp`, by name. */
export async function inventoryOf(host: Host): Promise<{ readonly [name: string]: InventoryTool }> {
  const all = await host.toolSchemas({}, { inventory: true })
  return Object.fromEntries(
    all.filter(({ plugin }) => plugin === 'mcp').map((tool) => [tool.tool_name, tool]),
  )
}
