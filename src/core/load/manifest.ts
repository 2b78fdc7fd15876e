import { type Diagnostic, type HostError, isObject } from '@braidwork/plugin'
import { checkPlugin, invalid, type ManifestPlugin } from './manifest-plugin.ts'
import { readPackageJson } from './package-json.ts'
import { readPyproject } from './pyproject.ts'

export type { ManifestPlugin } from './manifest-plugin.ts'

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
