import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Diagnostic, messageOf } from '../errors.ts'
import { isObject } from '../events/index.ts'
import { HOST_FOLDER, nearestPackage, packageFolder } from './locate.ts'
import { type PackageManifest, readManifest, readPackageJson } from './manifest.ts'

/** What was found without being listed, in order of plugin name. */
export interface Discovered {
  readonly manifests: readonly PackageManifest[]
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
  if (folder === undefined) return { manifests: bundled, diagnostics: [] }
  if (!isOwnInstallation(folder)) return { manifests: bundled, diagnostics: untrusted(folder) }
  const found = readAll(packageFolders(folder))
  const known = new Set(bundled.map((manifest) => manifest.package))
  const others = found.manifests.filter((manifest) => !known.has(manifest.package))
  return { manifests: [...bundled, ...others].sort(byPluginName), diagnostics: found.diagnostics }
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

function readAll(folders: readonly string[]): Discovered {
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
  return { manifests: manifests.sort(byPluginName), diagnostics }
}

function byPluginName(left: PackageManifest, right: PackageManifest): number {
  const [a, b] = [left, right].map(({ plugins }) => plugins[0]?.name ?? '')
  return (a ?? '') < (b ?? '') ? -1 : 1
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
