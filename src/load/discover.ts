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
export interface FoundPlugin extends ManifestPlugin {
  readonly package: string
  /** The package's folder. */
  readonly folder: string
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
 * The bundled plugins, the packages with a manifest among the nearest package.json's dependencies and
 * workspaces, and those in folders that were added. The nearest folder is searched only where it is the one
 * whose installation of the host is running: no other loads a plugin by being the working directory. DESIGN 6
 */
export function discover(from: string, added: readonly string[] = []): Discovered {
  const bundled = bundledManifests()
  const folder = nearestPackage(from)
  const isTrusted = folder !== undefined && isOwnInstallation(folder)
  const found = readAll([...(isTrusted ? packageFolders(folder) : []), ...added])
  const known = new Set(bundled.map((manifest) => manifest.package))
  const others = found.manifests.filter((manifest) => !known.has(manifest.package))
  const unread = folder === undefined || isTrusted ? [] : untrusted(folder, others)
  return {
    plugins: pluginsOf([...bundled, ...others]),
    diagnostics: [...found.diagnostics, ...unread],
  }
}

function pluginsOf(manifests: readonly PackageManifest[]): FoundPlugin[] {
  const found = manifests.flatMap(({ package: from, version, folder, plugins }) =>
    plugins.map((plugin) => ({ ...plugin, package: from, version, folder })),
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

/** What a folder has that is not loaded, but for what was added. */
function untrusted(folder: string, added: readonly PackageManifest[]): Diagnostic[] {
  try {
    const { manifests } = readAll(packageFolders(folder))
    if (manifests.every((one) => added.some((other) => other.folder === one.folder))) return []
  } catch {
    return []
  }
  const message = `Plugins of "${folder}" are not loaded: this braidwork is not installed there. Install it there, add them with "braidwork plugins add", or name them in a file given by --config.`
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
