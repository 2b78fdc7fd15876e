import type { Command } from 'commander'
import { configured } from './configured.ts'
import type { McpOptions } from './mcp.ts'

/** Adds the commands for MCP servers. */
export function addMcp(program: Command, done: (status: number) => void): void {
  const mcp = program.command('mcp').description('list or check the MCP servers of a config')
  configured(mcp.command('list', { isDefault: true }))
    .description('list the servers with their tools; the default')
    .option('--json', 'print them as JSON')
    .action(async (options: McpOptions) => {
      done(await (await import('./mcp.ts')).mcpListCommand(options))
    })
  configured(mcp.command('check'))
    .description('start each server, and say what is wrong')
    .action(async (options: McpOptions) => {
      done(await (await import('./mcp.ts')).mcpCheckCommand(options))
    })
}
