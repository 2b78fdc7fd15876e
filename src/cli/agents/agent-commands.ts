import type { Command } from 'commander'
import { configured } from '../configured.ts'
import type { ConfigOptions } from '../options.ts'
import type { AgentsOptions } from './agents.ts'

/** Adds the commands that list, check and explain agents. */
export function addAgents(program: Command, done: (status: number) => void): void {
  const agents = program
    .command('agents')
    .description(
      'list, check, explain or edit the agents that the config and the files beside it declare',
    )
  configured(agents.command('list', { isDefault: true }))
    .description('list the agents; the default')
    .option('--json', 'print their specs as JSON')
    .action(async (options: AgentsOptions) => {
      done(await (await import('./agents.ts')).agentsCommand(options))
    })
  configured(agents.command('check'))
    .description('try every agent, and report what is wrong with it')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./agents-check.ts')).agentsCheckCommand(options))
    })
  configured(agents.command('explain'))
    .argument('<agent>', 'the id of the agent')
    .description('show where the model, plugins, tools and limits of an agent come from')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: AgentsOptions) => {
      done(await (await import('./agents.ts')).agentsExplainCommand(id, options))
    })
  configured(agents.command('schema'))
    .description('print the JSON Schema of a file agents/<id>.json, for editors')
    .action(async (options: ConfigOptions) => {
      done(await (await import('../config/index.ts')).agentSchemaCommand(options))
    })
  configured(agents.command('edit'))
    .argument('<agent>', 'the id of the agent, which may be new')
    .description('ask for the fields of an agent, try it, and write it as agents/<id>.md')
    .action(async (id: string, options: ConfigOptions) => {
      done(await (await import('../settings/index.ts')).editAgent(id, options))
    })
}
