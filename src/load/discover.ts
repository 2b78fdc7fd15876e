import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Diagnostic, messageOf } from '../errors.ts'
import { isObject } from '../events/index.ts'
import { HOST_FOLDER, nearestPackage, packageFolder } from './locate.ts'
import {
  type ManifestPlugin,
  type PackageManifest,
  readManifest,
  readPackageJson,
} from './manifest.ts'

/** A plugin with the package that it is from. */
interface FoundPlugin extends ManifestPlugin {
  readonly package: string
  readonly version: string
}

/** What was found without being listed. */
export interface Discovered {
  /** In order of name, and the host's own first where two have one name. */
  readonly plugins: readonly FoundPlugin[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The manifests of the plugins that come with the host, always from its own package. */
export function bundledManifests(): readonly PackageManifest[] {
  const json = readPackageJson(HOST_FOLDER)
  const names = strings(json?.['bundleDependencies'])
  return readAll(names.flatMap((name) => packageFolder(name, HOST_FOLDER) ?? [])).manifests
}

/**
 * The bundled plugins, and the packages with a manifest among the nearest package.json's dependencies and
 * workspaces. A folder is searched only where it is the one whose installation of the host is running:
 * no other loads a plugin by being the working directory. DESIGN 6
 */
export function discover(from: string): Discovered {
  const bundled = bundledManifests()
  const folder = nearestPackage(from)
  if (folder === undefined) return { plugins: pluginsOf(bundled), diagnostics: [] }
  if (!isOwnInstallation(folder)) {
    return { plugins: pluginsOf(bundled), diagnostics: untrusted(folder) }
  }
  const found = readAll(packageFolders(folder))
  const known = new Set(bundled.map((manifest) => manifest.package))
  const others = found.manifests.filter((manifest) => !known.has(manifest.package))
  return { plugins: pluginsOf([...bundled, ...others]), diagnostics: found.diagnostics }
}

function pluginsOf(manifests: readonly PackageManifest[]): FoundPlugin[] {
  const found = manifests.flatMap(({ package: from, version, plugins }) =>
    plugins.map((plugin) => ({ ...plugin, package: from, version })),
  )
  return found.sort((left, right) => compare(left.name, right.name))
}

/** Whether the host that runs is installed in this folder, or is this folder. */
function isOwnInstallation(folder: string): boolean {
  const installed = join(folder, 'node_modules', 'braidwork')
  const own = realpathSync(HOST_FOLDER)
  if (realpathSync(folder) === own) return true
  return existsSync(installed) && realpathSync(installed) === own
}

function untrusted(folder: string): Diagnostic[] {
  try {
    const { manifests } = readAll(packageFolders(folder))
    if (manifests.length === 0) return []
  } catch {
    return []
  }
  const message = `Plugins of "${folder}" are not loaded: this braidwork is not installed there. Install it there, or name the plugins in a file given by --config.`
  return [{ code: 'FOLDER_UNTRUSTED', level: 'warning', message }]
}

function packageFolders(folder: string): string[] {
  const json = readPackageJson(folder)
  const names = ['dependencies', 'optionalDependencies'].flatMap((key) =>
    isObject(json?.[key]) ? Object.keys(json[key]) : [],
  )
  const installed = names.flatMap((name) => packageFolder(name, folder) ?? [])
  return [...installed, ...workspaceFolders(folder, json?.['workspaces'])]
}

/** Folders of workspaces, of the forms `path` and `path/*`. */
function workspaceFolders(folder: string, workspaces: unknown): string[] {
  const patterns = strings(isObject(workspaces) ? workspaces['packages'] : workspaces)
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [join(folder, pattern)]
    const parent = join(folder, dirname(pattern))
    if (!existsSync(parent)) return []
    const entries = readdirSync(parent, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(parent, entry.name))
  })
}

interface Manifests {
  readonly manifests: readonly PackageManifest[]
  readonly diagnostics: readonly Diagnostic[]
}

function readAll(folders: readonly string[]): Manifests {
  const diagnostics: Diagnostic[] = []
  const manifests: PackageManifest[] = []
  const existing = folders.filter((path) => existsSync(path))
  for (const folder of new Set(existing.map((path) => realpathSync(path)))) {
    try {
      const manifest = readManifest(folder)
      if (manifest) manifests.push(manifest)
    } catch (error) {
      diagnostics.push({ code: 'MANIFEST_INVALID', level: 'error', message: messageOf(error) })
    }
  }
  return { manifests, diagnostics }
}

/** Not by the rules of a language: the order is the same on every machine. */
function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
