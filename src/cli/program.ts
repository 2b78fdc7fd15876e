import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostFolder } from '@braidwork/core/internal'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { addAgents } from './agents/index.ts'
import type { ChatOptions } from './chat/index.ts'
import type { CompactOptions } from './compact.ts'
import type { ConfigShowOptions } from './config/index.ts'
import { configured, wholeNumber } from './configured.ts'
import { EXIT, reportError } from './exit.ts'
import type { ExplainCommandOptions } from './explain.ts'
import { addMcp } from './mcp/index.ts'
import type { ModelsOptions } from './models.ts'
import type { NewOptions } from './new/index.ts'
import type { ConfigOptions } from './options.ts'
import { addPlugins } from './plugins/index.ts'
import { addRecord } from './record-command.ts'
import { addRuns } from './runs/index.ts'
import type { ServeOptions } from './serve.ts'
import type { SettingsOptions } from './settings/index.ts'
import { addStore } from './store/index.ts'
import { addTokens } from './token-commands.ts'
import type { ToolsOptions } from './tools.ts'
import type { TrustOptions } from './trust.ts'
import { refuseUnknownCommand } from './unknown-command.ts'

/** Parses the command line and runs the command. @returns the exit status */
export async function main(words: readonly string[] = process.argv.slice(2)): Promise<number> {
  let status: number = EXIT.ok
  const program = createProgram((answer) => {
    status = answer
  })
  try {
    refuseUnknownCommand(program, words)
    await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    return reportError(error)
  }
}

/** The commands with their options. `done` is given the exit status of the command that ran. */
export function createProgram(done: (status: number) => void): Command {
  const program = new Command('braidwork')
    .description('A host for LLM plugins: enabled by tags, run in one streaming chain.')
    .version(ownVersion())
    .exitOverride()
  configured(program.command('chat'))
    .argument(
      '[prompt...]',
      'the question; "-" reads it from standard input; if absent, each input line is one turn',
    )
    .description('ask once, or hold a conversation')
    .option('--agent <id>', 'answer as this agent')
    .option('--json', 'print every event as a line of JSON')
    .option('--trace', 'show what each hook changed, and what plugins log')
    .option('--watch', 'before each answer, reload plugins that changed on disk')
    .option('--max-steps <number>', 'maximum number of steps per answer', wholeNumber)
    .option('--no-instructions', 'leave out the AGENTS.md of this folder and of those above it')
    .action(async (words: string[], options: ChatOptions) => {
      done(await (await import('./chat/index.ts')).chat(words, options))
    })
  configured(program.command('explain'))
    .argument('[plugin]', 'explain only this plugin')
    .description('show which plugins are on for a config, and why')
    .option('--json', 'print the resolution and its reasons as JSON')
    .action(async (plugin: string | undefined, options: ExplainCommandOptions) => {
      done(await (await import('./explain.ts')).explainCommand(plugin, options))
    })
  addServe(program, done)
  addStore(program, done)
  addCompact(program, done)
  addRuns(program, done)
  addTokens(program, done)
  addAgents(program, done)
  addMcp(program, done)
  addLists(program, done)
  addNew(program, done)
  addPlugins(program, done)
  addDoctor(program, done)
  addSettings(program, done)
  addConfig(program, done)
  addRecord(program, done, main)
  return program
}

function addServe(program: Command, done: (status: number) => void): void {
  configured(program.command('serve'))
    .description('serve chat UIs and the clients of model APIs over HTTP')
    .option('--port <number>', 'port, by default 8787; 0 takes any free port', portNumber)
    .option('--host <address>', 'address, by default 127.0.0.1 (this machine only)')
    .action(async (options: ServeOptions) => {
      done(await (await import('./serve.ts')).serve(options))
    })
}

function addCompact(program: Command, done: (status: number) => void): void {
  configured(program.command('compact'))
    .argument('<conversation>', 'the id of a conversation that the server stored')
    .description('summarize the older messages of a conversation, which the model is shown no more')
    .option('--owner <id>', 'the identity that owns it, by default that of callers without a token')
    .option('--json', 'print what was done as JSON')
    .action(async (conversation: string, options: CompactOptions) => {
      done(await (await import('./compact.ts')).compactCommand(conversation, options))
    })
}

/** Adds the commands that list tools and models. */
function addLists(program: Command, done: (status: number) => void): void {
  configured(program.command('tools'))
    .description('list the tools that the model is offered')
    .option('--json', 'print their schemas as JSON')
    .addOption(
      new Option('--all', 'list every registered tool, offered or not, and why').conflicts('for'),
    )
    .option(
      '--for <format>',
      'print JSON for openai-strict, anthropic, google, json-schema or the provider, and list lost details',
    )
    .action(async (options: ToolsOptions) => {
      done(await (await import('./tools.ts')).toolsCommand(options))
    })
  configured(program.command('models'))
    .description('list the models on offer, with their windows and prices')
    .option('--refresh', 'ask the API which models it has')
    .option('--json', 'print them as JSON')
    .action(async (options: ModelsOptions) => {
      done(await (await import('./models.ts')).modelsCommand(options))
    })
}

function addSettings(program: Command, done: (status: number) => void): void {
  configured(program.command('settings'))
    .description('show the settings for a config, or change them in a form')
    .option('--edit', 'edit them in the terminal and save them in the config file')
    .option('--plugin <name>', 'only the settings of this plugin')
    .option('--locale <tag>', 'language of titles, such as de')
    .option('--json', 'print the settings document as JSON')
    .option('--format <form>', 'print the form for jsonforms, rjsf, valves, mcp or vscode')
    .action(async (options: SettingsOptions) => {
      done(await (await import('./settings/index.ts')).settingsCommand(options))
    })
}

/** Adds the commands for config files and trust. */
function addConfig(program: Command, done: (status: number) => void): void {
  program
    .command('init')
    .description('write a first config file, braidwork.jsonc')
    .action(async () => {
      done((await import('./init.ts')).initCommand())
    })
  program
    .command('trust')
    .argument('[folder]', 'folder, by default the working directory')
    .description('trust the present config and plugins of a folder')
    .option('--update', 'trust the changes made since then')
    .option('--revoke', 'stop trusting the folder')
    .action(async (folder: string | undefined, options: TrustOptions) => {
      done((await import('./trust.ts')).trustCommand(folder, options))
    })
  const config = program.command('config').description('check or show a config')
  configured(config.command('check'))
    .description('report the faults in a config, with their places')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./config/index.ts')).configCheckCommand(options))
    })
  configured(config.command('show'))
    .description('print the merged config with secrets masked')
    .option('--explain', 'show where each value comes from')
    .action(async (options: ConfigShowOptions) => {
      done(await (await import('./config/index.ts')).configShowCommand(options))
    })
  configured(config.command('schema'))
    .description('print the JSON Schema of a config file, for editors')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./config/index.ts')).configSchemaCommand(options))
    })
}

function addDoctor(program: Command, done: (status: number) => void): void {
  program
    .command('doctor')
    .description('list Python interpreters, virtual environments and plugins, and their faults')
    .option('--config <file>', 'config file whose plugins are listed too, instead of the nearest')
    .option('--json', 'print it as JSON')
    .action(async (options: { config?: string; json?: boolean }) => {
      done(await (await import('./doctor.ts')).doctorCommand(options))
    })
}

function addNew(program: Command, done: (status: number) => void): void {
  program
    .command('new')
    .argument('[kind]', 'provider, extension, feature or tool')
    .argument('[name]', 'name of the plugin and of its folder')
    .description('write the package of a new plugin; asks for what is not said')
    .option('--language <language>', 'typescript (the default) or python')
    .option('--for <provider>', 'require the tags of this provider')
    .action(async (kind: string | undefined, name: string | undefined, options: NewOptions) => {
      done(await (await import('./new/index.ts')).newCommand(kind, name, options))
    })
}

function portNumber(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}

function ownVersion(): string {
  const path = join(hostFolder() ?? '.', 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}
