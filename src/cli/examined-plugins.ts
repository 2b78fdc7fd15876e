import { basename, dirname } from 'node:path'
import {
  type Loaded,
  loaderOf,
  type PythonLoader,
  readAdded,
  readPlugins,
  unloadedPlugin,
} from '@braidwork/core/internal'
import { type Diagnostic, HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type Python, pluginPythonOf, readNeeds } from '@braidwork/python/internal'
import { discoverHere } from './discover-here.ts'
import { besideListed } from './listed-before-added.ts'
import { oldBuilds } from './old-build.ts'
import { type ConfigOptions, type LoadedConfig, loadConfig } from './options.ts'

/** A plugin in Python that was found from here, or that the config lists. */
export interface FoundPlugin {
  readonly name: string
  readonly folder: string
  /** Imports the module, and checks it against the manifest. */
  readonly load: () => Promise<Loaded>
}

/** The state of one Python plugin. */
export interface PluginReport {
  readonly plugin: string
  readonly folder: string
  readonly packages: readonly string[]
  /** The interpreter that the plugin runs in. */
  readonly executable?: string
  readonly fault?: string
}

interface FoundPlugins {
  readonly plugins: readonly FoundPlugin[]
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the config could not be read, or lists a plugin that is not there. */
  readonly isFailed: boolean
}

/** Finds the plugins in Python that a host here would have. Their modules run only if the config lists them by path. */
export async function pythonPluginsHere(
  options: ConfigOptions,
  python: PythonLoader,
): Promise<FoundPlugins> {
  const { config, diagnostics: ofConfig, check } = configHere(options)
  const naming = { python, check }
  const given = config.plugins ?? []
  const read = (await Promise.all(given.map((name) => readPlugins(name, naming)))).flat()
  const found = discoverHere()
  const entries = new Set(read.flatMap(({ entry }) => entry ?? []))
  const { plugins: others, diagnostics: notes } = besideListed(found.plugins, entries)
  const lost = read.filter(({ entry }) => entry === undefined).flatMap((one) => one.diagnostics)
  const loading = { python, check: found.check }
  return {
    plugins: [
      ...read.flatMap((one) => (isPython(one.entry) ? [listed(one)] : [])),
      ...others.flatMap((manifest) => {
        const load = loaderOf(unloadedPlugin(manifest, loading))
        const { name, folder, entry } = manifest
        return load && isPython(entry) ? [{ name, folder, load }] : []
      }),
    ],
    diagnostics: [
      ...ofConfig,
      ...lost,
      ...found.diagnostics,
      ...notes,
      ...oldBuilds(found.plugins, readAdded().folders),
    ],
    isFailed: [...ofConfig, ...lost].some(({ level }) => level === 'error'),
  }
}

/** Examines a plugin: its needs, its interpreter, and whether it can be loaded. */
export async function examinePlugin(
  { name: plugin, folder, load }: FoundPlugin,
  base: Python | { readonly fault: string },
): Promise<PluginReport> {
  try {
    const { packages, alone } = await readNeeds(folder)
    const known = { plugin, folder, packages: [...packages, ...alone] }
    if ('fault' in base) return { ...known, fault: 'no suitable Python interpreter was found' }
    try {
      const { executable } = await pluginPythonOf(folder, base)
      const fault = faultOf(await load())
      return { ...known, executable, ...(fault === undefined ? {} : { fault }) }
    } catch (error) {
      return { ...known, fault: messageOf(error) }
    }
  } catch (error) {
    return { plugin, folder, packages: [], fault: messageOf(error) }
  }
}

/** A config that cannot be read is a fault beside those of Python, unless it was asked for. */
function configHere(
  options: ConfigOptions,
): Pick<LoadedConfig, 'config' | 'diagnostics' | 'check'> {
  try {
    return loadConfig(options)
  } catch (error) {
    if (!HostError.is(error) || options.config !== undefined) throw error
    const { code, message } = error
    return { config: {}, diagnostics: [{ code, level: 'error', message }] }
  }
}

type Read = Awaited<ReturnType<typeof readPlugins>>[number]

function listed({ plugin, entry = '', diagnostics }: Read): FoundPlugin {
  const loaded = { diagnostics }
  const own = plugin as Loaded['plugin']
  const folder = dirname(entry)
  const load = own && loaderOf(own)
  return { name: own?.name ?? nameOf(entry), folder, load: load ?? (async () => loaded) }
}

/** The name of a plugin that could not be loaded: that of its file, or of its folder. */
function nameOf(entry: string): string {
  const file = basename(entry, '.py')
  return file === 'plugin' || file === '__init__' ? basename(dirname(entry)) : file
}

function faultOf({ diagnostics }: Loaded): string | undefined {
  const faults = diagnostics.filter(({ level }) => level === 'error')
  return faults.length === 0 ? undefined : faults.map(({ message }) => message).join(' ')
}

function isPython(entry: string | undefined): boolean {
  return entry?.endsWith('.py') === true
}
