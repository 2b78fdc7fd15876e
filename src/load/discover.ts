import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
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
export async function bundledManifests(): Promise<readonly PackageManifest[]> {
  const json = await readPackageJson(HOST_FOLDER)
  const names = strings(json?.['bundleDependencies'])
  return (await readAll(names.flatMap((name) => packageFolder(name, HOST_FOLDER) ?? []))).manifests
}

/**
 * The bundled plugins, and the packages with a manifest among the nearest package.json's dependencies and
 * workspaces. A folder is searched only where it is the one whose installation of the host is running:
 * no other loads a plugin by being the working directory. DESIGN 6
 */
export async function discover(from: string): Promise<Discovered> {
  const bundled = await bundledManifests()
  const folder = nearestPackage(from)
  if (folder === undefined) return { manifests: bundled, diagnostics: [] }
  if (!isOwnInstallation(folder))
    return { manifests: bundled, diagnostics: await untrusted(folder) }
  const found = await readAll(await packageFolders(folder))
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

async function untrusted(folder: string): Promise<Diagnostic[]> {
  try {
    const { manifests } = await readAll(await packageFolders(folder))
    if (manifests.length === 0) return []
  } catch {
    return []
  }
  const message = `Plugins of "${folder}" are not loaded: this braidwork is not installed there. Install it there, or name the plugins in a file given by --config.`
  return [{ code: 'FOLDER_UNTRUSTED', level: 'warning', message }]
}

async function packageFolders(folder: string): Promise<string[]> {
  const json = await readPackageJson(folder)
  const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    isObject(json?.[key]) ? Object.keys(json[key]) : [],
  )
  const installed = names.flatMap((name) => packageFolder(name, folder) ?? [])
  return [...installed, ...(await workspaceFolders(folder, json?.['workspaces']))]
}

/** Folders of workspaces, of the forms `path` and `path/*`. */
async function workspaceFolders(folder: string, workspaces: unknown): Promise<string[]> {
  const patterns = strings(isObject(workspaces) ? workspaces['packages'] : workspaces)
  const folders = await Promise.all(
    patterns.map(async (pattern) => {
      if (!pattern.endsWith('/*')) return [join(folder, pattern)]
      const parent = join(folder, dirname(pattern))
      const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
      return entries.filter((entry) => entry.isDirectory()).map((entry) => join(parent, entry.name))
    }),
  )
  return folders.flat()
}

async function readAll(folders: readonly string[]): Promise<Discovered> {
  const diagnostics: Diagnostic[] = []
  const manifests: PackageManifest[] = []
  const existing = folders.filter((path) => existsSync(path))
  for (const folder of new Set(existing.map((path) => realpathSync(path)))) {
    try {
      const manifest = await readManifest(folder)
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
