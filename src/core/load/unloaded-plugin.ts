import { realpathSync } from 'node:fs'
import { type Diagnostic, HostError } from '@braidwork/plugin'
import { type AnyPlugin, asSentence, withMessage } from '@braidwork/plugin/internal'
import { readTexts, readValue } from '../hooks/index.ts'
import { checkPlugin } from './check-plugin.ts'
import {
  type LoadOptions,
  type Located,
  loadModule,
  locatePlugins,
  notLoaded,
} from './load-plugin.ts'
import { isPath } from './locate.ts'
import type { ManifestPlugin, PackagedPlugin } from './manifest.ts'
import { versionFaults } from './package-version.ts'
import { withoutUrl } from './places.ts'
import { pythonLoader } from './python-loader.ts'
import { shippedPackage } from './shipped-packages.ts'

/** The plugin of a loaded module. Absent if loading failed; the diagnostics give the reason. */
export interface Loaded {
  readonly plugin?: AnyPlugin
  readonly diagnostics: readonly Diagnostic[]
}

const LOAD: unique symbol = Symbol('braidwork.load')
const ORIGIN: unique symbol = Symbol('braidwork.origin')

/** A placeholder for a plugin until its module has run. It has the facts that are in the manifest. */
interface UnloadedPlugin extends AnyPlugin {
  readonly [LOAD]: () => Promise<Loaded>
  /** The folder of its package, or its module. */
  readonly [ORIGIN]: string
}

export interface UnloadedOptions extends LoadOptions {
  /** Wraps the plugin before it is checked. */
  readonly wrap?: (plugin: unknown) => unknown
  /** Whether the host discovered the plugin by itself. Missing Python is then no fault until a config names it. */
  readonly isFound?: boolean
}

/** A plugin whose manifest was read, but not its module. The module runs once, when the plugin is first needed. */
export function unloadedPlugin(
  manifest: ManifestPlugin | PackagedPlugin,
  options: UnloadedOptions = {},
): AnyPlugin {
  const { kind, name, title, description, providers, defaultEnabled } = manifest
  let loaded: Promise<Loaded> | undefined
  const load = (): Promise<Loaded> => {
    loaded ??= run(manifest, options).then((ran) => ({
      ...ran,
      diagnostics: [...ran.diagnostics, ...versionFaults(manifest)],
    }))
    return loaded
  }
  const facts = { title, description, 'x-i18n': manifest['x-i18n'], providers, defaultEnabled }
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined)
  const origin = 'folder' in manifest ? manifest.folder : manifest.entry
  const own = { kind, name, [LOAD]: load, [ORIGIN]: origin }
  const unloaded: UnloadedPlugin = { ...Object.fromEntries(known), ...own }
  return unloaded
}

/** Whether a value stands in for a plugin that is not loaded yet. */
export function isUnloaded(value: unknown): value is AnyPlugin {
  return typeof value === 'object' && value !== null && LOAD in value
}

/** The function that loads a plugin. Undefined if it is loaded already. */
export function loaderOf(plugin: AnyPlugin): (() => Promise<Loaded>) | undefined {
  return isUnloaded(plugin) ? (plugin as UnloadedPlugin)[LOAD] : undefined
}

/** The folder of the package of a plugin that is not loaded yet, or its module. */
export function originOf(plugin: unknown): string | undefined {
  return isUnloaded(plugin) ? (plugin as UnloadedPlugin)[ORIGIN] : undefined
}

async function run(manifest: ManifestPlugin, options: UnloadedOptions): Promise<Loaded> {
  const { wrap = (plugin) => plugin } = options
  const { plugin, diagnostics } = await loadModule(manifest.entry, manifest.name, options)
  if (plugin === undefined) {
    const placed = diagnostics.map((one) => withPackage(one, manifest))
    return { diagnostics: options.isFound ? placed.map(asNote) : placed }
  }
  try {
    const from = `"${manifest.name}" (${manifest.entry})`
    const checked = checkPlugin(wrap(plugin), from)
    const named = checked.diagnostics.map((one) => ({ plugin: manifest.name, ...one }))
    return agreed(manifest, { ...checked, diagnostics: named })
  } catch (error) {
    return { diagnostics: [notLoaded(manifest.name, error)] }
  }
}

/** Says which version of which package could not be loaded, and from where. */
function withPackage(
  diagnostic: Diagnostic,
  manifest: ManifestPlugin | PackagedPlugin,
): Diagnostic {
  if (diagnostic.code !== 'PLUGIN_NOT_LOADED' || !('package' in manifest)) return diagnostic
  const { package: name, version, entry } = manifest
  const message = `${diagnostic.message} It is in ${name} ${version}, "${entry}".`
  return { ...diagnostic, message }
}

function asNote(diagnostic: Diagnostic): Diagnostic {
  const isMissing = ['PYTHON_MISSING', 'PYTHON_ENVIRONMENT_MISSING'].includes(diagnostic.code)
  return isMissing ? { ...diagnostic, level: 'info' } : diagnostic
}

/** Checks a loaded plugin against its manifest. If they differ, it is off: decisions were based on the manifest. */
function agreed(manifest: ManifestPlugin, { plugin, diagnostics }: Loaded): Loaded {
  const fault = plugin && disagreement(manifest, plugin)
  if (!plugin || fault === undefined) return { ...(plugin ? { plugin } : {}), diagnostics }
  const message = `The manifest says ${fault}. The plugin is off until they agree.`
  const found = {
    code: 'MANIFEST_INVALID',
    level: 'error',
    plugin: manifest.name,
    message,
  } as const
  return { diagnostics: [...diagnostics, found] }
}

function disagreement(manifest: ManifestPlugin, plugin: AnyPlugin): string | undefined {
  const { kind, name, defaultEnabled, providers } = manifest
  if (plugin.kind !== kind || plugin.name !== name) {
    return `${kind} "${name}", but its module is ${plugin.kind} "${plugin.name}"`
  }
  if (defaultEnabled === false && readValue(plugin, 'defaultEnabled') !== false) {
    return `that ${kind} "${name}" is off by default, but its module does not`
  }
  const served = readTexts(plugin, 'providers')
  if (providers && (!served || served.some((one) => !providers.includes(one)))) {
    return `that ${kind} "${name}" serves ${providers.join(', ')}, but its module serves ${served?.join(', ') ?? 'all'}`
  }
  return undefined
}

/** A plugin that a reference names. */
export interface ReadPlugin {
  /** The unchecked plugin, or its stand-in until it is loaded. Absent if it could not be read. */
  readonly plugin?: unknown
  /** The real path of its module. */
  readonly entry?: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads the plugins that a path, a `file:` URL or a name refers to. Modules without a manifest run now. Faults are
 * diagnostics.
 */
export async function readPlugins(
  given: string | URL,
  options: UnloadedOptions = {},
): Promise<readonly ReadPlugin[]> {
  const { wrap = (plugin) => plugin } = options
  const reference = String(given)
  try {
    const { plugins, diagnostics: others } = await locate(withoutUrl(given), options)
    const read = await Promise.all(
      plugins.map(async ({ entry: path, manifest }): Promise<ReadPlugin> => {
        const entry = realPath(path)
        if (manifest) return { plugin: unloadedPlugin(manifest, options), entry, diagnostics: [] }
        const { plugin, diagnostics } = await loadModule(path, reference, options)
        return { ...(plugin === undefined ? {} : { plugin: wrap(plugin) }), entry, diagnostics }
      }),
    )
    return others.length > 0 ? [...read, { diagnostics: others }] : read
  } catch (error) {
    return [{ diagnostics: [notLoaded(reference, error)] }]
  }
}

/** Searches the packages, then the installed Python distributions. */
async function locate(reference: string, options: UnloadedOptions): Promise<Located> {
  try {
    return locatePlugins(reference, options)
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'PLUGIN_UNKNOWN') throw error
    if (reference === '' || isPath(reference)) throw error
    return distributed(reference, error, options)
  }
}

const FOR_DISTRIBUTIONS = 'If it is a Python distribution, also run "npm install @braidwork/python"'

/**
 * Searches the installed Python distributions.
 * @param unknown the error of the first search, to which that of this one is added
 * @throws {HostError} PLUGIN_UNKNOWN, MANIFEST_INVALID
 */
async function distributed(
  reference: string,
  unknown: HostError,
  { python = pythonLoader() }: UnloadedOptions,
): Promise<Located> {
  const also = (reason: string) => withReason(unknown, reference, reason)
  const found = await python.distribution(reference).catch((error: unknown) => {
    if (!HostError.is(error)) throw error
    if (error.code === 'PACKAGE_MISSING') throw also(FOR_DISTRIBUTIONS)
    if (error.code !== 'PYTHON_MISSING') throw error
    throw also(`No package of Python was searched: ${error.message}`)
  })
  if (found === undefined)
    throw also(`Nor is there a package with that name in the Python "${await python.place()}"`)
  if (found.folder !== undefined) return locatePlugins(found.folder)
  if (found.plugins.length === 0)
    throw also(`The package with that name in "${await python.place()}" has no plugins`)
  const plugins = found.plugins.map((manifest) => ({ entry: manifest.entry, manifest }))
  return { plugins, diagnostics: [] }
}

/** The error of the first search with what the second one met, unless the name is that of a shipped plugin. */
function withReason(unknown: HostError, reference: string, reason: string): HostError {
  if (shippedPackage(reference) !== undefined) return unknown
  return withMessage(unknown, `${asSentence(unknown.message)} ${reason.replace(/\.$/, '')}`)
}

/** The real path of a file, or the given path if the file does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
