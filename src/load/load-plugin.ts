import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Diagnostic, HostError, messageOf } from '../errors.ts'
import { DEFAULT_LIMITS, didYouMean, settle } from '../plugin/internal.ts'
import { bundledManifests } from './discover.ts'
import { isFolder, isPath, packageFolder } from './locate.ts'
import { readManifest } from './manifest.ts'
import { type PythonLoader, pythonLoader } from './python-loader.ts'
import { addressOf } from './versions.ts'

export interface LoadedPlugin {
  /** What the module exports by default, not checked yet. */
  readonly plugin?: unknown
  /** The path of its module, where it is known. */
  readonly entry?: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface LoadOptions {
  /** The folder that paths and packages are looked for from. */
  readonly from?: string
  /** The longest that a module may take. */
  readonly seconds?: number
  /** Which version of a module to load, where it may have changed since it was loaded. */
  readonly versions?: ((entry: string) => number | undefined) | undefined
  /** What loads Python plugins; one for all, so that they share interpreters. */
  readonly python?: PythonLoader | undefined
}

/**
 * The plugin that a path (a module of TypeScript, JavaScript or Python, or a folder with a manifest), a package's name or a bundled plugin's
 * name stands for. What goes wrong is a diagnostic, a module that is not done in time too.
 */
export async function loadPlugin(
  reference: string,
  options: LoadOptions = {},
): Promise<LoadedPlugin> {
  const { from = process.cwd(), seconds = DEFAULT_LIMITS.hook } = options
  let entry: string | undefined
  try {
    entry = locateEntry(reference, from)
    const plugin = await settle(loadEntry(entry, options), { seconds })
    return { plugin, entry, diagnostics: [] }
  } catch (error) {
    const known = entry === undefined ? {} : { entry }
    return { ...known, diagnostics: [notLoaded(reference, error)] }
  }
}

function loadEntry(entry: string, { versions, python }: LoadOptions): Promise<unknown> {
  if (entry.endsWith('.py')) return (python ?? pythonLoader()).load(entry)
  return importDefault(entry, versions?.(entry))
}

function locateEntry(reference: string, from: string): string {
  if (isPath(reference)) return entryAt(resolve(from, reference), reference)
  const folder = packageFolder(reference, from)
  if (folder !== undefined) return entryOfPackage(folder)
  const bundled = bundledManifests().flatMap(({ package: name, plugins }) =>
    plugins.map((plugin) => ({ ...plugin, package: name })),
  )
  const found = bundled.find(
    ({ name, package: from_ }) => name === reference || from_ === reference,
  )
  if (found) return found.entry
  const hint = didYouMean(
    reference,
    bundled.map(({ name }) => name),
  )
  throw new HostError(
    'PLUGIN_UNKNOWN',
    `there is no package of that name here, and no bundled plugin.${hint} Install it, or give a path that begins with "./"`,
  )
}

function entryAt(path: string, reference: string): string {
  if (isFolder(path)) return entryOfPackage(path)
  if (existsSync(path)) return path
  throw new HostError('PLUGIN_UNKNOWN', `there is no file or folder "${reference}"`)
}

function entryOfPackage(folder: string): string {
  const manifest = readManifest(folder)
  const [plugin, ...others] = manifest?.plugins ?? []
  const python = manifest ? undefined : pythonEntry(folder)
  if (python !== undefined) return python
  if (!plugin) {
    throw new HostError('MANIFEST_INVALID', `its package.json has no "braidwork" with plugins`)
  }
  if (others.length > 0) {
    const names = manifest?.plugins.map(({ name }) => `"${name}"`).join(', ')
    throw new HostError(
      'MANIFEST_INVALID',
      `it has several plugins (${names}); name the module of one by its path: ${join(folder, '…')}`,
    )
  }
  return plugin.entry
}

/** The module of a folder of Python without a manifest. */
function pythonEntry(folder: string): string | undefined {
  return ['plugin.py', '__init__.py'].map((name) => join(folder, name)).find(existsSync)
}

async function importDefault(entry: string, version: number | undefined): Promise<unknown> {
  const module = (await importModule(entry, version)) as { readonly default?: unknown }
  if (module.default !== undefined) return module.default
  throw new HostError(
    'PLUGIN_INVALID',
    'its module has no default export; export the plugin by default',
  )
}

async function importModule(entry: string, version: number | undefined): Promise<unknown> {
  try {
    return await import(addressOf(pathToFileURL(entry).href, version))
  } catch (error) {
    if (!isForeignExtension(error)) throw error
    throw new HostError(
      'PLUGIN_INVALID',
      `Node ${process.versions.node} does not run TypeScript; build the plugin to JavaScript, use Node 22.18 or newer, or start node with "--import tsx"`,
    )
  }
}

function isForeignExtension(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION'
}

/** Nothing is wrong with the plugin: what it runs in is not there. */
function lacksPython(error: unknown): error is HostError {
  const codes = ['PYTHON_MISSING', 'PYTHON_ENVIRONMENT_MISSING']
  return HostError.is(error) && codes.includes(error.code)
}

function notLoaded(reference: string, error: unknown): Diagnostic {
  return {
    code: lacksPython(error) ? error.code : 'PLUGIN_NOT_LOADED',
    level: 'error',
    plugin: reference,
    message: `Plugin "${reference}" could not be loaded: ${messageOf(error).replace(/\.$/, '')}.`,
  }
}
