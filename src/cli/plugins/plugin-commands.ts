import type { Command } from 'commander'
import { addTo } from '../configured.ts'
import type { PluginsAddOptions } from './plugins-options.ts'

const ENV = 'pass this environment variable to the installer of Python packages and its builds'

/** Adds the commands that list, add, update and remove plugins. */
export function addPlugins(program: Command, done: (status: number) => void): void {
  const list = async (_options: object, command: Command) => {
    done((await import('./plugins.ts')).pluginsCommand(command.optsWithGlobals()))
  }
  const plugins = program
    .command('plugins')
    .description('list the plugins found from here, without running them')
    .option('--json', 'print them as JSON')
    .action(list)
  plugins
    .command('list')
    .description('list the plugins found from here, without running them')
    .action(list)
  plugins
    .command('info')
    .argument('<plugin>', 'folder, package or name of the plugin')
    .description('show the version, hash and folder of a package, and what its plugins may do')
    .action(async (plugin: string, _options: object, command: Command) => {
      const { pluginsInfoCommand } = await import('./plugins-info.ts')
      done(await pluginsInfoCommand(plugin, command.optsWithGlobals()))
    })
  addChanges(plugins, done)
}

function addChanges(plugins: Command, done: (status: number) => void): void {
  plugins
    .command('add')
    .argument('<plugin>', 'folder of the plugin, installed package, or package[@version] of npm')
    .description(
      'trust a plugin in every folder; install a package, and what a Python plugin needs',
    )
    .option('--yes', 'install a package without asking')
    .option('--env <name>', ENV, addTo)
    .action(async (plugin: string, options: PluginsAddOptions) => {
      done(await (await import('./plugins-add.ts')).pluginsAddCommand(plugin, options))
    })
  plugins
    .command('update')
    .argument('[plugin]', 'package or name of the plugin; by default all that add installed')
    .description('install the newest versions in range')
    .option('--env <name>', ENV, addTo)
    .action(async (plugin: string | undefined, options: PluginsAddOptions) => {
      done(await (await import('./plugins-install.ts')).pluginsUpdateCommand(plugin, options))
    })
  plugins
    .command('remove')
    .argument('<plugin>', 'folder, package or name of the plugin')
    .description('forget an added plugin; delete what only it had')
    .action(async (plugin: string) => {
      done(await (await import('./plugins-add.ts')).pluginsRemoveCommand(plugin))
    })
}
