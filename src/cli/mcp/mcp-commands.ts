import type { Command } from 'commander'
import { addTo, configured } from '../configured.ts'
import type { ConfigOptions } from '../options.ts'
import type { McpOptions } from './mcp.ts'
import type { McpServeOptions } from './mcp-serve.ts'

/** Adds the commands for MCP servers. */
export function addMcp(program: Command, done: (status: number) => void): void {
  const mcp = program
    .command('mcp')
    .description('list or check the MCP servers of a config, log in at one, or be one')
  configured(mcp.command('list', { isDefault: true }))
    .description('list the servers with their tools; the default')
    .option('--json', 'print them as JSON')
    .option('--agent <id>', 'those of this agent')
    .action(async (options: McpOptions) => {
      done(await (await import('./mcp.ts')).mcpListCommand(options))
    })
  configured(mcp.command('check'))
    .description('start each server, and say what is wrong')
    .option('--agent <id>', 'those of this agent')
    .action(async (options: McpOptions) => {
      done(await (await import('./mcp.ts')).mcpCheckCommand(options))
    })
  configured(mcp.command('login'))
    .argument('<server>', 'the name of a server with a URL')
    .description('log in at a server in a browser, and keep the tokens outside of the config')
    .action(async (server: string, options: ConfigOptions) => {
      done(await (await import('./mcp-login.ts')).mcpLoginCommand(server, options))
    })
  configured(mcp.command('serve'))
    .description('serve the agents of a config to a client of MCP over standard input and output')
    .option('--agent <id>', 'only this agent or model; may be given several times', addTo)
    .action(async (options: McpServeOptions) => {
      done(await (await import('./mcp-serve.ts')).mcpServeCommand(options))
    })
}
