import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import {
  type Diagnostic,
  HostError,
  isObject,
  type JsonObject,
  KINDS,
  type Kind,
} from '@braidwork/plugin'
import { readPackageJson } from './package-json.ts'
import { readPyproject } from './pyproject.ts'

/** What a package says of one of its plugins, readable without running anything. CONTRACT 2 */
export interface ManifestPlugin {
  readonly kind: Kind
  readonly name: string
  /** Absolute path of the module whose default export is the plugin, or whose `plugin` in Python. */
  readonly entry: string
  readonly title?: string
  readonly description?: string
  readonly providers?: readonly string[]
  readonly tags?: readonly string[]
  /** False where it is off until a config names it: until then its code need not be run. */
  readonly defaultEnabled?: boolean
}

/** A plugin with the package that it is from. */
export interface PackagedPlugin extends ManifestPlugin {
  readonly package: string
  /** The package's folder. */
  readonly folder: string
  readonly version: string
}

export interface PackageManifest {
  readonly package: string
  readonly version: string
  /** The package's folder. */
  readonly folder: string
  readonly plugins: readonly ManifestPlugin[]
  /** What is wrong with plugins that are not among them. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A manifest as a file has it. */
interface Written {
  /** The file's name, for errors. */
  readonly file: string
  /** Where the manifest stands in it. */
  readonly pointer: string
  readonly manifest: unknown
  readonly name: unknown
  readonly version: unknown
}

/** The versions of the contract that this host speaks. */
const API_VERSIONS = { lowest: 1, highest: 1 } as const

/** Where a manifest may stand, in this order. */
export const MANIFEST_FILES = ['package.json', 'pyproject.toml'] as const

/** The module of a folder of Python that has no manifest, in this order. */
export const PYTHON_ENTRIES = ['plugin.py', '__init__.py'] as const

/**
 * The manifest in a folder: "braidwork" in its package.json, else `[tool.braidwork]` in its pyproject.toml;
 * nothing where neither has one. A plugin with a fault is left out, with a diagnostic; the others stand.
 * @throws {HostError} MANIFEST_INVALID, where the file or the manifest as a whole cannot be read
 */
export function readManifest(folder: string): PackageManifest | undefined {
  const written = fromPackageJson(folder) ?? fromPyproject(folder)
  if (!written) return undefined
  const plugins: ManifestPlugin[] = []
  const diagnostics: Diagnostic[] = []
  for (const [index, value] of listedIn(written, folder).entries()) {
    const place = { ...written, folder, pointer: `${written.pointer}/plugins/${index}` }
    try {
      plugins.push(checkPlugin(value, place))
    } catch (error) {
      diagnostics.push(toDiagnostic(error as HostError, value))
    }
  }
  const { name, version } = written
  return {
    package: textOr(name, folder),
    version: textOr(version, ''),
    folder,
    plugins,
    diagnostics,
  }
}

/** The plugins of a package; none where it has no manifest. */
export function packagedPlugins(manifest: PackageManifest | undefined): readonly PackagedPlugin[] {
  if (!manifest) return []
  const { package: from, version, folder, plugins } = manifest
  return plugins.map((plugin) => ({ ...plugin, package: from, version, folder }))
}

function fromPackageJson(folder: string): Written | undefined {
  const json = readPackageJson(folder)
  if (json?.['braidwork'] === undefined) return undefined
  const { braidwork: manifest, name, version } = json
  return { file: 'package.json', pointer: '/braidwork', manifest, name, version }
}

/** Keys of tables are written in TOML as they usually are there. */
function fromPyproject(folder: string): Written | undefined {
  const { tool, project } = readPyproject(folder) ?? {}
  const own = isObject(tool) ? tool['braidwork'] : undefined
  if (!isObject(own) || own['plugins'] === undefined) return undefined
  const { name, version } = isObject(project) ? project : {}
  const manifest = { ...own, apiVersion: own['api-version'], plugins: own['plugins'] }
  const plugins: unknown = manifest.plugins
  return {
    file: 'pyproject.toml',
    pointer: '/tool/braidwork',
    manifest: { ...manifest, plugins: Array.isArray(plugins) ? plugins.map(inCamelCase) : plugins },
    name,
    version,
  }
}

function inCamelCase(plugin: unknown): unknown {
  if (!isObject(plugin)) return plugin
  const { 'default-enabled': defaultEnabled, ...rest } = plugin
  return defaultEnabled === undefined ? rest : { ...rest, defaultEnabled }
}

function listedIn({ manifest, file, pointer }: Written, folder: string): readonly unknown[] {
  const fail = (at: string, reason: string) => invalid({ file, folder, pointer: at }, reason)
  if (!isObject(manifest) || !Array.isArray(manifest['plugins'])) {
    throw fail(pointer, 'it is no object {apiVersion, plugins}')
  }
  const { apiVersion } = manifest
  const at = `${pointer}/${file === 'package.json' ? 'apiVersion' : 'api-version'}`
  const { lowest, highest } = API_VERSIONS
  if (!Number.isInteger(apiVersion)) {
    throw fail(at, `it is the number of the contract that the plugins keep, as ${highest}`)
  }
  const version = apiVersion as number
  if (version > highest) {
    throw fail(
      at,
      `the plugins keep contract ${version}, and this host reads up to ${highest}: use a newer braidwork`,
    )
  }
  if (version < lowest) {
    throw fail(
      at,
      `the plugins keep contract ${version}, and this host reads from ${lowest} on: use newer plugins`,
    )
  }
  return manifest['plugins']
}

interface Place {
  readonly file: string
  readonly folder: string
  readonly pointer: string
}

const NAME = /^[a-z0-9][a-z0-9._-]*$/i

function checkPlugin(value: unknown, place: Place): ManifestPlugin {
  const { folder, pointer } = place
  const fail = (key: string, reason: string) =>
    invalid({ ...place, pointer: `${pointer}${key}` }, reason)
  if (!isObject(value)) throw fail('', 'a plugin is an object {kind, name, entry}')
  const { kind, name, entry } = value
  if (!KINDS.some((known) => known === kind)) throw fail('/kind', `kinds are ${KINDS.join(', ')}`)
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw fail('/name', 'a name is letters, digits, ".", "_" and "-"')
  }
  if (typeof entry !== 'string') throw fail('/entry', 'it is no path')
  const fault = optionalFault(value)
  if (fault) throw fail(fault.key, fault.reason)
  const path = join(folder, entry)
  const reason = entryFault(path, entry, folder)
  if (reason !== undefined) throw fail('/entry', reason)
  return { ...value, kind: kind as Kind, name, entry: path }
}

/** A module outside of the package is another's. */
function entryFault(path: string, entry: string, folder: string): string | undefined {
  if (isAbsolute(entry) || relative(folder, path).startsWith('..')) {
    return `"${entry}" leads out of the package`
  }
  if (!existsSync(path))
    return `there is no file "${entry}"; a package that is built has to be built first`
  return statSync(path).isFile() ? undefined : `"${entry}" is no file`
}

function optionalFault(value: JsonObject): { key: string; reason: string } | undefined {
  const texts = ['title', 'description'].find((key) => !isTextOrAbsent(value[key]))
  if (texts) return { key: `/${texts}`, reason: 'it is no text' }
  const lists = ['providers', 'tags'].find((key) => !isTextsOrAbsent(value[key]))
  if (lists) return { key: `/${lists}`, reason: 'it is no list of texts' }
  const { defaultEnabled } = value
  if (defaultEnabled === undefined || typeof defaultEnabled === 'boolean') return undefined
  return { key: '/defaultEnabled', reason: 'it is neither true nor false' }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isTextsOrAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTextOrAbsent))
}

function toDiagnostic({ code, message, pointer }: HostError, value: unknown): Diagnostic {
  const name = isObject(value) ? value['name'] : undefined
  return {
    code,
    level: 'error',
    message,
    ...(pointer === undefined ? {} : { pointer }),
    ...(typeof name === 'string' ? { plugin: name } : {}),
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function invalid({ file, folder, pointer }: Place, reason: string): HostError {
  return new HostError(
    'MANIFEST_INVALID',
    `${file} of "${folder}" is not valid at ${pointer || '/'}: ${reason}.`,
    { pointer },
  )
}
