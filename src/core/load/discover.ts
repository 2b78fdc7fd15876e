import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@braidwork/plugin'
import { missingPackage } from '@braidwork/plugin/internal'
import { bundledPackages } from './bundled.ts'
import { type Manifests, packagesOf, readManifests } from './folder-packages.ts'
import { nearestPackage, upwards } from './locate.ts'
import { type PackagedPlugin, type PackageManifest, packagedPlugins } from './manifest.ts'
import { type CheckModule, type FolderPackages, folderPackages } from './trusted-folder.ts'
import { untrusted, whyUntrusted } from './why-untrusted.ts'

/** The plugins that were found without being listed in a config. */
export interface Discovered {
  /**
   * In order of name. Of two plugins with the same name, the bundled one comes first, then one of the project. An added
   * package that the project also has is left out.
   */
  readonly plugins: readonly PackagedPlugin[]
  readonly diagnostics: readonly Diagnostic[]
  /** Checks a module of the project again, immediately before it runs. */
  readonly check: CheckModule
}

/** The manifests of the bundled plugins, read from the place where the host's own packages are installed. */
export function bundledManifests(): readonly PackageManifest[] {
  return readManifests(bundledPackages().flatMap(({ folder }) => folder ?? [])).manifests
}

/** The bundled plugin packages that are not installed. */
function missingBundled(): readonly string[] {
  return bundledPackages().flatMap(({ name, folder }) => (folder === undefined ? [name] : []))
}

/**
 * Finds plugins: the bundled ones, those in added folders, and the packages with a manifest among the dependencies and
 * workspaces of the nearest package.json in a trusted folder. A folder does not load plugins just because it is the
 * working directory: an untrusted one is ignored, with a diagnostic. A server does not search parent folders.
 */
export function discover(
  from: string,
  added: readonly string[] = [],
  { walksUp = true, isWatched = false }: SearchOptions = {},
): Discovered {
  const bundled = bundledManifests()
  const known = new Set(bundled.map((manifest) => manifest.package))
  const others = ({ manifests }: Manifests) =>
    manifests.filter((manifest) => !known.has(manifest.package))
  const named = readManifests(added)
  const folders = (walksUp ? upwards(from) : [from]).filter(hasPackage)
  const own = ownPackages(folders, named, isWatched)
  const counted = new Set(own.manifests.map(({ folder }) => folder))
  const places = new Map(others(own).map(({ package: name, folder }) => [name, folder]))
  const further = others(named).filter(({ folder }) => !counted.has(folder))
  const notes = further.flatMap((one) => {
    const place = places.get(one.package)
    return place === undefined ? [] : [usedElsewhere(one, place)]
  })
  const used = further.filter((one) => !places.has(one.package))
  return {
    plugins: pluginsOf([...bundled, ...others(own), ...used]),
    diagnostics: [
      ...missingBundled().map(missing),
      ...own.diagnostics,
      ...named.diagnostics,
      ...notes,
    ],
    check: own.check,
  }
}

/**
 * A note about an added package that the project has in another place, as in a second checkout: the project's own is
 * nearer, and is used.
 */
export function usedElsewhere(
  { package: name, folder }: Pick<PackageManifest, 'package' | 'folder'>,
  place: string,
): Diagnostic {
  return {
    code: 'PLUGIN_NAME_TAKEN',
    level: 'info',
    message: `The package "${name}" is used from "${place}" here, and not from "${folder}", which was added. To remove the added one from the list: braidwork plugins remove "${folder}"`,
  }
}

export interface SearchOptions {
  /** Whether to search in parent folders too. The default is true. */
  readonly walksUp?: boolean | undefined
  /** Whether plugins of a trusted folder may change, because a developer works on them. */
  readonly isWatched?: boolean | undefined
}

function missing(name: string): Diagnostic {
  const message = missingPackage('The package "braidwork" needs', name)
  return { code: 'PACKAGE_MISSING', level: 'warning', message }
}

function hasPackage(folder: string): boolean {
  return existsSync(join(folder, 'package.json'))
}

interface OwnPackages extends Manifests {
  readonly check: CheckModule
}

/** The packages of the nearest trusted folder. */
function ownPackages(
  folders: readonly string[],
  added: Manifests,
  isWatched: boolean,
): OwnPackages {
  const diagnostics: Diagnostic[] = []
  for (const folder of folders) {
    const found = folderPackages(folder, isWatched)
    const { trust, manifests, check } = found
    const fresh = new Map([...found.fresh].filter(([path]) => !isAdded(path, added)))
    if (fresh.size > 0) diagnostics.push(unreadFresh(folder, { ...found, fresh }))
    if (trust === 'trusted') {
      return { manifests, diagnostics: [...diagnostics, ...found.diagnostics], check }
    }
    if (hasOthers(folder, added)) diagnostics.push(unread(folder, found))
  }
  return { manifests: [], diagnostics, check: () => undefined }
}

function unread(folder: string, found: FolderPackages): Diagnostic {
  const why = whyUntrusted(folder, found)
  const ways = 'install braidwork there, or add them with "braidwork plugins add"'
  const also = found.trust === 'unknown' ? `, ${ways}` : ''
  return untrusted(found, `Plugins of "${folder}" are not loaded: ${why}${also}.`)
}

/** A diagnostic for packages added since the folder was trusted. They are left out; the others are loaded. */
function unreadFresh(folder: string, { fresh }: FolderPackages): Diagnostic {
  const why = whyUntrusted(folder, { trust: 'changed', changed: fresh })
  return untrusted({ trust: 'unknown' }, `Plugins of "${folder}" are not loaded: ${why}.`)
}

/** Whether the package.json of an untrusted folder leads to plugin packages that were not added. */
function hasOthers(folder: string, added: Manifests): boolean {
  try {
    const { manifests } = packagesOf(folder)
    return manifests.some((one) => !isAdded(one.folder, added))
  } catch {
    return false
  }
}

function isAdded(folder: string, { manifests }: Manifests): boolean {
  return manifests.some((one) => one.folder === folder)
}

/** The plugins among the dependencies of the nearest package.json, whether they are trusted or not. */
export function installedPlugins(from: string): readonly PackagedPlugin[] {
  const nearest = nearestPackage(from)
  return nearest === undefined ? [] : pluginsOf(packagesOf(nearest).manifests)
}

function pluginsOf(manifests: readonly PackageManifest[]): PackagedPlugin[] {
  return manifests.flatMap(packagedPlugins).sort((left, right) => compare(left.name, right.name))
}

/** Compares by character codes and not by locale, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}
