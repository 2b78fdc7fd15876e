import { existsSync, realpathSync } from 'node:fs'
import { type Diagnostic, messageOf } from '../errors.ts'
import { isObject } from '../events/index.ts'
import { HOST_FOLDER, nearestPackage, packageFolder } from './locate.ts'
import { type ManifestPlugin, type PackageManifest, readManifest } from './manifest.ts'
import { readPackageJson, strings, workspaceFolders } from './package-json.ts'
import type { Trust } from './trust.ts'
import { folderTrust, whyUntrusted } from './trusted-folder.ts'

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
 * workspaces, and those in folders that were added. The nearest folder is searched only where it is trusted:
 * no other loads a plugin by being the working directory. A server looks at no folder above. DESIGN 6
 */
export function discover(from: string, added: readonly string[] = [], walksUp = true): Discovered {
  const bundled = bundledManifests()
  const nearest = nearestPackage(from)
  const folder = walksUp || nearest === realpathSync(from) ? nearest : undefined
  const trust = folder === undefined ? 'trusted' : folderTrust(folder)
  const own = folder !== undefined && trust === 'trusted' ? packageFolders(folder) : []
  const found = readAll([...own, ...added])
  const known = new Set(bundled.map((manifest) => manifest.package))
  const others = found.manifests.filter((manifest) => !known.has(manifest.package))
  const unread = folder === undefined || trust === 'trusted' ? [] : untrusted(folder, trust, others)
  return {
    plugins: pluginsOf([...bundled, ...others]),
    diagnostics: [...found.diagnostics, ...unread],
  }
}

/** The plugins of the packages that the nearest package.json depends on, whether they may be loaded or not. */
export function installedPlugins(from: string): readonly FoundPlugin[] {
  const nearest = nearestPackage(from)
  return nearest === undefined ? [] : pluginsOf(readAll(packageFolders(nearest)).manifests)
}

function pluginsOf(manifests: readonly PackageManifest[]): FoundPlugin[] {
  const found = manifests.flatMap(({ package: from, version, folder, plugins }) =>
    plugins.map((plugin) => ({ ...plugin, package: from, version, folder })),
  )
  return found.sort((left, right) => compare(left.name, right.name))
}

/** What a folder has that is not loaded, but for what was added. */
function untrusted(
  folder: string,
  trust: Exclude<Trust, 'trusted'>,
  added: readonly PackageManifest[],
): Diagnostic[] {
  try {
    const { manifests } = readAll(packageFolders(folder))
    if (manifests.every((one) => added.some((other) => other.folder === one.folder))) return []
  } catch {
    return []
  }
  const message = `Plugins of "${folder}" are not loaded: ${whyUntrusted(trust)} Run "braidwork trust" there, install braidwork there, or add them with "braidwork plugins add".`
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
      diagnostics.push(...(manifest?.diagnostics ?? []))
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
