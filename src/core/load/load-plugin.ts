import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Diagnostic, HostError, isObject } from '@braidwork/plugin'
import { asSentence, DEFAULT_LIMITS, messageOf } from '@braidwork/plugin/internal'
import { settle } from '../hooks/index.ts'
import { throwSiteOf } from '../throw-site.ts'
import { bundledPackage } from './bundled.ts'
import { isFile, isFolder, isPath, packageFolder, workspaceFolder } from './locate.ts'
import {
  type ManifestPlugin,
  type PackagedPlugin,
  PYTHON_ENTRIES,
  packagedPlugins,
  readManifest,
} from './manifest.ts'
import { languageFault } from './module-language.ts'
import { programFolders } from './places.ts'
import { type PythonLoader, pythonLoader } from './python-loader.ts'
import { pluginsBeside, unknownPlugin } from './unknown-plugin.ts'
import { addressOf } from './versions.ts'

export interface LoadedPlugin {
  /** The default export of the module, unchecked. */
  readonly plugin?: unknown
  /** The path of its module, if it is known. */
  readonly entry?: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface LoadOptions {
  /** The folder that paths start from. The default is the working directory. */
  readonly from?: string | undefined
  /**
   * The folders from which names of packages are searched upwards, in this order. The default is `from`, or without it
   * the folders of the program.
   */
  readonly places?: readonly string[] | undefined
  /** The most seconds that loading a module may take. Python modules have the limit of their loader. */
  readonly seconds?: number
  /** The version of a module to load, in case it has changed since it was last loaded. */
  readonly versions?: ((entry: string) => number | undefined) | undefined
  /** Throws if a module must not run. */
  readonly check?: ((entry: string) => void) | undefined
  /** Loads Python plugins. One loader for all of them, so that they share interpreters. */
  readonly python?: PythonLoader | undefined
}

/** A plugin whose code has not run yet. */
export interface LocatedPlugin {
  /** The path of its module. */
  readonly entry: string
  /** The plugin's entry in the package's manifest. Absent for a module that is named by its path. */
  readonly manifest?: ManifestPlugin | PackagedPlugin
}

/** The plugins that a reference names. */
export interface Located {
  readonly plugins: readonly LocatedPlugin[]
  /** Faults in other plugins of the package. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Finds the plugins that a reference names. A reference is a path (of a TypeScript, JavaScript or Python module, or of
 * a folder with a manifest), the name of a bundled plugin or of its package, the name of a package, or one plugin of a
 * package (`package/plugin`). No code of the plugins runs.
 * @throws {HostError} PLUGIN_UNKNOWN, MANIFEST_INVALID
 */
export function locatePlugins(reference: string, { from, places }: SearchPlaces = {}): Located {
  if (reference === '') throw new HostError('PLUGIN_UNKNOWN', EMPTY_NAME)
  if (isPath(reference)) return pluginsAt(resolve(from ?? process.cwd(), reference), reference)
  const bundled = bundledPackage(reference)
  if (bundled !== undefined) return pluginsOfPackage(bundled)
  const searched = places ?? (from === undefined ? programFolders() : [from])
  for (const place of searched) {
    const folder = packageFolder(reference, place) ?? workspaceFolder(reference, place)
    if (folder !== undefined) return pluginsOfPackage(folder)
    const named = pluginOfPackage(reference, place)
    if (named) return alone(located(named))
  }
  throw unknownPlugin(reference, searched)
}

type SearchPlaces = Pick<LoadOptions, 'from' | 'places'>

const EMPTY_NAME = 'the name is empty; give the name of a package, or a path that begins with "./"'

/** Loads a plugin's module. `reference` is the name by which a person referred to it. */
export async function loadModule(
  entry: string,
  reference: string,
  options: LoadOptions = {},
): Promise<LoadedPlugin> {
  const { seconds = DEFAULT_LIMITS.hook } = options
  // Python imports one module after the other, so its loader limits each: the wait takes no time.
  const limit = entry.endsWith('.py') ? {} : { seconds }
  try {
    return { plugin: await settle(loadEntry(entry, options), limit), entry, diagnostics: [] }
  } catch (error) {
    return { entry, diagnostics: [notLoaded(reference, error)] }
  }
}

async function loadEntry(
  entry: string,
  { versions, python, check }: LoadOptions,
): Promise<unknown> {
  check?.(entry)
  // Importing a pipe would wait until another process writes into it.
  if (existsSync(entry) && !isFile(entry)) throw new Error('it is not a regular file')
  if (entry.endsWith('.py')) return (python ?? pythonLoader()).load(entry)
  return importDefault(entry, versions?.(entry))
}

function located(manifest: PackagedPlugin): LocatedPlugin {
  return { entry: manifest.entry, manifest }
}

function alone(plugin: LocatedPlugin): Located {
  return { plugins: [plugin], diagnostics: [] }
}

function pluginsAt(path: string, reference: string): Located {
  if (isFolder(path)) return pluginsOfPackage(path)
  if (existsSync(path)) return alone({ entry: path })
  throw new HostError('PLUGIN_UNKNOWN', `there is no file or folder "${reference}"`)
}

function pluginsOfPackage(folder: string): Located {
  const manifest = readManifest(folder)
  const { diagnostics = [] } = manifest ?? {}
  const plugins = packagedPlugins(manifest)
  if (plugins.length > 0) return { plugins: plugins.map(located), diagnostics }
  const [fault] = diagnostics
  if (fault) throw new HostError(fault.code, fault.message, { pointer: fault.pointer })
  const python = pythonEntry(folder)
  if (python !== undefined) return alone({ entry: python })
  throw new HostError(
    'MANIFEST_INVALID',
    'its package.json has no "braidwork" with plugins, and its pyproject.toml has no [tool.braidwork]',
  )
}

/** Finds one plugin of a package, for a reference of the form `package/plugin`. */
function pluginOfPackage(reference: string, place: string): PackagedPlugin | undefined {
  const wanted = reference.slice(reference.lastIndexOf('/') + 1)
  return pluginsBeside(reference, place).find(({ name }) => name === wanted)
}

/** The module of a folder with Python files but no manifest. */
function pythonEntry(folder: string): string | undefined {
  return PYTHON_ENTRIES.map((name) => join(folder, name)).find(existsSync)
}

async function importDefault(entry: string, version: number | undefined): Promise<unknown> {
  const { default: exported } = (await importModule(entry, version)) as {
    readonly default?: unknown
  }
  const plugin = isCompiled(exported) ? exported.default : exported
  if (plugin !== undefined) return plugin
  throw new HostError(
    'PLUGIN_INVALID',
    'its module has no default export; export the plugin by default',
  )
}

/** Whether Node gave a CommonJS module as its default export, which a compiler made of one with exports of its own. */
function isCompiled(exported: unknown): exported is { readonly default?: unknown } {
  return isObject(exported) && exported['__esModule'] === true
}

async function importModule(entry: string, version: number | undefined): Promise<unknown> {
  try {
    // webpack would look for the module while it bundles, and replace the import with an error.
    return await import(/* webpackIgnore: true */ addressOf(pathToFileURL(entry).href, version))
  } catch (error) {
    const reason = languageFault(error)
    throw reason === undefined ? error : new HostError('PLUGIN_INVALID', reason)
  }
}

/** Whether an error only means that Python or an environment is missing: the plugin itself is not at fault. */
function lacksPython(error: unknown): error is HostError {
  const packages = ['PACKAGE_MISMATCH', 'PACKAGE_MISSING']
  const codes = ['PYTHON_MISSING', 'PYTHON_ENVIRONMENT_MISSING', ...packages]
  return HostError.is(error) && codes.includes(error.code)
}

/** The place where a module's own code threw, if Node knows it (not for syntax errors). Empty for a HostError. */
function throwSiteIn(error: unknown): string {
  const place = HostError.is(error) ? undefined : throwSiteOf(error)
  return place === undefined ? '' : ` (${place})`
}

export function notLoaded(reference: string, error: unknown): Diagnostic {
  return {
    code: lacksPython(error) ? error.code : 'PLUGIN_NOT_LOADED',
    level: 'error',
    plugin: reference,
    message: `Plugin "${reference}" could not be loaded: ${asSentence(`${messageOf(error)}${throwSiteIn(error)}`)}`,
  }
}
