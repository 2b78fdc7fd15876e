import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostFolder } from '@braidwork/core/internal'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { ChatOptions } from './chat.ts'
import type { ConfigShowOptions } from './config-show.ts'
import { EXIT, reportError } from './exit.ts'
import type { ExplainCommandOptions } from './explain.ts'
import type { ModelsOptions } from './models.ts'
import type { ConfigOptions } from './options.ts'
import type { PluginsAddOptions } from './plugins-add.ts'
import type { ServeOptions } from './serve.ts'
import type { SettingsOptions } from './settings/index.ts'
import type { ToolsOptions } from './tools.ts'
import type { TrustOptions } from './trust.ts'

/** Runs the command line. @returns the exit status */
export async function main(): Promise<number> {
  let status: number = EXIT.ok
  const program = createProgram((answer) => {
    status = answer
  })
  try {
    await program.parseAsync()
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
    return reportError(error)
  }
}

function createProgram(done: (status: number) => void): Command {
  const program = new Command('braidwork')
    .description('A host for LLM plugins: enabled by tags, run in one streaming chain.')
    .version(ownVersion())
    .exitOverride()
  configured(program.command('chat'))
    .argument(
      '[prompt...]',
      'what to ask; "-" stands for standard input; without it, a line is a turn',
    )
    .description('ask once, or hold a conversation')
    .option('--json', 'print every event as a line of JSON')
    .option('--trace', 'show what each hook changed')
    .option('--watch', 'load plugins again that changed on disk, for the next answer')
    .option('--max-steps <number>', 'most steps of an answer', wholeNumber)
    .action(async (words: string[], options: ChatOptions) => {
      done(await (await import('./chat.ts')).chat(words, options))
    })
  configured(program.command('explain'))
    .argument('[plugin]', 'explain this plugin alone')
    .description('say which plugins are on for a config, and why')
    .option('--json', 'print the resolution and its reasons as JSON')
    .action(async (plugin: string | undefined, options: ExplainCommandOptions) => {
      done(await (await import('./explain.ts')).explainCommand(plugin, options))
    })
  addServe(program, done)
  addStore(program, done)
  addLists(program, done)
  addPlugins(program, done)
  addDoctor(program, done)
  addSettings(program, done)
  addConfig(program, done)
  return program
}

function addServe(program: Command, done: (status: number) => void): void {
  configured(program.command('serve'))
    .description('serve chat UIs and the clients of model APIs over HTTP')
    .option('--port <number>', 'by default 8787; 0 for any that is free', portNumber)
    .option('--host <address>', 'by default 127.0.0.1, this machine alone')
    .action(async (options: ServeOptions) => {
      done(await (await import('./serve.ts')).serve(options))
    })
}

/** What the server has stored, out and in. */
function addStore(program: Command, done: (status: number) => void): void {
  const store = program
    .command('store')
    .description('export, import and compact what the server has stored')
  configured(store.command('export'))
    .argument('[file]', 'by default standard output')
    .description('write all that is stored, a line of JSON a record')
    .action(async (file: string | undefined, options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeExportCommand(file, options))
    })
  configured(store.command('import'))
    .argument('[file]', 'by default standard input')
    .description('take such lines over; what is there already stays as it is')
    .action(async (file: string | undefined, options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeImportCommand(file, options))
    })
  configured(store.command('compact'))
    .description('give back the room of what was deleted; a server on the same store waits')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./store.ts')).storeCompactCommand(options))
    })
}

/** The commands that list what there is. */
function addLists(program: Command, done: (status: number) => void): void {
  configured(program.command('tools'))
    .description('list the tools that the model is offered')
    .option('--json', 'print their schemas as JSON')
    .option(
      '--for <format>',
      'as JSON for openai-strict, anthropic, google, json-schema or the provider, and what they lose',
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
    .option('--edit', 'fill them in here, and save them in the config file')
    .option('--plugin <name>', 'those of one plugin alone')
    .option('--locale <tag>', 'language of titles, as de')
    .option('--json', 'print the settings document as JSON')
    .option('--format <form>', 'print it for jsonforms, rjsf, valves, mcp or vscode')
    .action(async (options: SettingsOptions) => {
      done(await (await import('./settings/index.ts')).settingsCommand(options))
    })
}

/** The commands about config files. */
function addConfig(program: Command, done: (status: number) => void): void {
  program
    .command('init')
    .description('write a first config file, braidwork.jsonc')
    .action(async () => {
      done((await import('./init.ts')).initCommand())
    })
  program
    .command('trust')
    .argument('[folder]', 'by default the working directory')
    .description('let the config and the plugins of a folder count, as they are now')
    .option('--update', 'take what changed in it since then as it is now')
    .option('--revoke', 'trust it no longer')
    .action(async (folder: string | undefined, options: TrustOptions) => {
      done((await import('./trust.ts')).trustCommand(folder, options))
    })
  const config = program.command('config').description('look at a config')
  configured(config.command('check'))
    .description('say what is wrong with a config, and where')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./config-check.ts')).configCheckCommand(options))
    })
  configured(config.command('show'))
    .description('print the config as it counts, secrets masked')
    .option('--explain', 'say of each value where it is from')
    .action(async (options: ConfigShowOptions) => {
      done(await (await import('./config-show.ts')).configShowCommand(options))
    })
  configured(config.command('schema'))
    .description('print the JSON Schema of a config file, for editors')
    .action(async (options: ConfigOptions) => {
      done(await (await import('./config-schema.ts')).configSchemaCommand(options))
    })
}

function addDoctor(program: Command, done: (status: number) => void): void {
  program
    .command('doctor')
    .description(
      'say which Pythons, virtual environments and Python plugins there are, and what is wrong',
    )
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => {
      done(await (await import('./doctor.ts')).doctorCommand(options))
    })
}

/** The plugins that are found, and those that a person adds to them. */
function addPlugins(program: Command, done: (status: number) => void): void {
  const plugins = program
    .command('plugins')
    .description('list the plugins that are found, without running one')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: boolean }) => {
      done((await import('./plugins.ts')).pluginsCommand(options))
    })
  plugins
    .command('add')
    .argument('<plugin>', 'its folder, or the name of an installed package')
    .description('trust a plugin from everywhere; a Python plugin gets what it needs')
    .option('--env <name>', 'a variable that its installer and its builds see too', addTo)
    .action(async (plugin: string, options: PluginsAddOptions) => {
      done(await (await import('./plugins-add.ts')).pluginsAddCommand(plugin, options))
    })
  plugins
    .command('remove')
    .argument('<plugin>', 'its folder, its package, or its name')
    .description('forget a plugin that was added, and remove what it alone needed')
    .action(async (plugin: string) => {
      done(await (await import('./plugins-add.ts')).pluginsRemoveCommand(plugin))
    })
}

/** An option that may be given several times. */
function addTo(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value]
}

function configured(command: Command): Command {
  return command
    .option(
      '--config <file>',
      'config file, JSON with comments, in place of the nearest braidwork.json',
    )
    .option('--provider <name>', 'provider to ask')
    .option('--model <id>', 'model to ask')
    .addOption(
      new Option(
        '--set <key=value>',
        'set a key of the config, as settings.scripted.delay_ms=0',
      ).argParser(addTo),
    )
}

function wholeNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It is no whole number above 0.')
}

function portNumber(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new InvalidArgumentError('It is no port: a whole number from 0 to 65535.')
}

function ownVersion(): string {
  const path = join(hostFolder() ?? '.', 'package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}
