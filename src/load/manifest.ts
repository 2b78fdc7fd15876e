import { join } from 'node:path'
import { isObject } from '../events/index.ts'
import { KINDS, type Kind } from '../plugin/internal.ts'
import { invalidManifest as invalid, readPackageJson } from './package-json.ts'

/** What a package says of one of its plugins, readable without running anything. CONTRACT 2 */
export interface ManifestPlugin {
  readonly kind: Kind
  readonly name: string
  /** Absolute path of the module whose default export is the plugin. */
  readonly entry: string
  readonly title?: string
  readonly description?: string
  readonly providers?: readonly string[]
  readonly tags?: readonly string[]
  /** False where it is off until a config names it: until then its code need not be run. */
  readonly defaultEnabled?: boolean
}

export interface PackageManifest {
  readonly package: string
  readonly version: string
  /** The package's folder. */
  readonly folder: string
  readonly plugins: readonly ManifestPlugin[]
}

const API_VERSION = 1

/**
 * The manifest in a folder's package.json; nothing where the file or its "braidwork" is missing.
 * @throws {HostError} MANIFEST_INVALID
 */
export function readManifest(folder: string): PackageManifest | undefined {
  const json = readPackageJson(folder)
  const braidwork = json?.['braidwork']
  if (!json || braidwork === undefined) return undefined
  if (!isObject(braidwork) || !Array.isArray(braidwork['plugins'])) {
    throw invalid(folder, '/braidwork', 'it is no object {apiVersion, plugins}')
  }
  if (braidwork['apiVersion'] !== API_VERSION) {
    throw invalid(
      folder,
      '/braidwork/apiVersion',
      `this host reads version ${API_VERSION}, not ${JSON.stringify(braidwork['apiVersion'])}`,
    )
  }
  return {
    package: textOr(json['name'], folder),
    version: textOr(json['version'], ''),
    folder,
    plugins: braidwork['plugins'].map((plugin, index) => checkPlugin(plugin, folder, index)),
  }
}

function checkPlugin(value: unknown, folder: string, index: number): ManifestPlugin {
  const pointer = `/braidwork/plugins/${index}`
  if (!isObject(value)) throw invalid(folder, pointer, 'a plugin is an object {kind, name, entry}')
  const { kind, name, entry } = value
  if (!KINDS.some((known) => known === kind)) {
    throw invalid(folder, `${pointer}/kind`, `kinds are ${KINDS.join(', ')}`)
  }
  if (typeof name !== 'string') throw invalid(folder, `${pointer}/name`, 'it is no text')
  if (typeof entry !== 'string') throw invalid(folder, `${pointer}/entry`, 'it is no path')
  return { ...value, kind: kind as Kind, name, entry: join(folder, entry) }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}
