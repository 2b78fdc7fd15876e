import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import {
  type Diagnostic,
  HostError,
  isObject,
  type JsonObject,
  KINDS,
  type Kind,
  type ToolSafety,
} from '@braidwork/plugin'
import { readPackageJson } from './package-json.ts'
import { readPyproject } from './pyproject.ts'

/** A plugin in a package's manifest. Reading it runs no code. */
export interface ManifestPlugin {
  readonly kind: Kind
  readonly name: string
  /** The absolute path of the module that exports the plugin: by default, or in Python as `plugin`. */
  readonly entry: string
  readonly title?: string
  readonly description?: string
  readonly providers?: readonly string[]
  readonly tags?: readonly string[]
  /** False if the plugin is off until a config names it. Until then its code need not run. */
  readonly defaultEnabled?: boolean
  /** The names of its hooks, as its author states them. */
  readonly hooks?: readonly string[]
  /** The tools that it offers, as its author states them. A plugin whose settings decide that states none. */
  readonly tools?: readonly ManifestTool[]
  /** The environment variables that it reads, as its author states them. */
  readonly variables?: readonly string[]
  /** The hosts that it reaches over the network, as its author states them; `*` for any. */
  readonly network?: readonly string[]
}

/** A tool in a manifest. */
export interface ManifestTool {
  readonly name: string
  readonly safety?: ToolSafety
}

/** A plugin and its package. */
export interface PackagedPlugin extends ManifestPlugin {
  readonly package: string
  /** The folder of the package. */
  readonly folder: string
  readonly version: string
}

export interface PackageManifest {
  readonly package: string
  readonly version: string
  /** The folder of the package. */
  readonly folder: string
  readonly plugins: readonly ManifestPlugin[]
  /** Faults in plugins that were left out. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A manifest as it stands in its file. */
interface Written {
  /** The name of the file, for error messages. */
  readonly file: string
  /** JSON pointer to the manifest in the file. */
  readonly pointer: string
  readonly manifest: unknown
  readonly name: unknown
  readonly version: unknown
}

/** The versions of the plugin contract that this host supports. */
const API_VERSIONS = { lowest: 1, highest: 1 } as const

/** The files that may contain a manifest, in the order in which they are tried. */
export const MANIFEST_FILES = ['package.json', 'pyproject.toml'] as const

/** The possible modules of a Python folder without a manifest, in the order in which they are tried. */
export const PYTHON_ENTRIES = ['plugin.py', '__init__.py'] as const

/**
 * Reads the manifest of a folder: `braidwork` in package.json, else `[tool.braidwork]` in pyproject.toml. Undefined if
 * neither exists. A plugin with a fault is left out, with a diagnostic; the other plugins remain.
 * @throws {HostError} MANIFEST_INVALID, if the file or the manifest as a whole cannot be read
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

/** The plugins of a package. Empty if the package has no manifest. */
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

/** Reads the manifest in pyproject.toml, whose keys are in kebab-case, as TOML tables usually are. */
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
    throw fail(pointer, 'it is not an object {apiVersion, plugins}')
  }
  const { apiVersion } = manifest
  const at = `${pointer}/${file === 'package.json' ? 'apiVersion' : 'api-version'}`
  const { lowest, highest } = API_VERSIONS
  if (!Number.isInteger(apiVersion)) {
    throw fail(at, `it must be the version of the plugin contract, such as ${highest}`)
  }
  const version = apiVersion as number
  if (version > highest) {
    throw fail(
      at,
      `the plugins need version ${version} of the contract, but this host supports up to ${highest}: use a newer braidwork`,
    )
  }
  if (version < lowest) {
    throw fail(
      at,
      `the plugins need version ${version} of the contract, but this host supports ${lowest} and later: use newer plugins`,
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
  if (!isObject(value)) throw fail('', 'a plugin must be an object {kind, name, entry}')
  const { kind, name, entry } = value
  if (!KINDS.some((known) => known === kind)) throw fail('/kind', `kinds are ${KINDS.join(', ')}`)
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw fail('/name', 'a name consists of letters, digits, ".", "_" and "-"')
  }
  if (typeof entry !== 'string') throw fail('/entry', 'it is not a path')
  const fault = optionalFault(value)
  if (fault) throw fail(fault.key, fault.reason)
  const path = join(folder, entry)
  const reason = entryFault(path, entry, folder)
  if (reason !== undefined) throw fail('/entry', reason)
  return { ...value, kind: kind as Kind, name, entry: path }
}

/** The fault in the path of a module. The module must exist, and must be inside the package. */
function entryFault(path: string, entry: string, folder: string): string | undefined {
  if (isAbsolute(entry) || relative(folder, path).startsWith('..')) {
    return `"${entry}" is outside the package`
  }
  if (!existsSync(path))
    return `there is no file "${entry}"; build the package first if it needs a build`
  return statSync(path).isFile() ? undefined : `"${entry}" is not a file`
}

function optionalFault(value: JsonObject): { key: string; reason: string } | undefined {
  const texts = ['title', 'description'].find((key) => !isTextOrAbsent(value[key]))
  if (texts) return { key: `/${texts}`, reason: 'it is not a string' }
  const lists = TEXT_LISTS.find((key) => !isTextsOrAbsent(value[key]))
  if (lists) return { key: `/${lists}`, reason: 'it is not a list of strings' }
  if (!isToolsOrAbsent(value['tools'])) {
    return { key: '/tools', reason: 'it is not a list of objects {name, safety?}' }
  }
  const { defaultEnabled } = value
  if (defaultEnabled === undefined || typeof defaultEnabled === 'boolean') return undefined
  return { key: '/defaultEnabled', reason: 'it is neither true nor false' }
}

const TEXT_LISTS = ['providers', 'tags', 'hooks', 'variables', 'network'] as const

function isToolsOrAbsent(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isTool))
}

function isTool(value: unknown): boolean {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  return value['safety'] === undefined || isObject(value['safety'])
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
