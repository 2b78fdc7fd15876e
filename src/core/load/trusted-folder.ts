import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Diagnostic, HostError, isObject } from '@braidwork/plugin'
import { type ConfigFile, readConfigChain } from './config-file.ts'
import { type Manifests, packagesOf } from './folder-packages.ts'
import { hostFolder, hostRoot, isFile } from './locate.ts'
import type { PackageManifest } from './manifest.ts'
import { readPackageJson } from './package-json.ts'
import { Pinning } from './pinning.ts'
import { type Pins, pin, pinsOf, realPathOf } from './trust.ts'

export type Trust = 'trusted' | 'changed' | 'unknown'

type Changes = ReadonlyMap<string, 'changed' | 'new'>

/** Whether a part of what a folder has counts, and what is in it. */
interface Part {
  readonly trust: Trust
  /** What is not as it was trusted, and whether it was not there then. */
  readonly changed: Changes
  /** Looks again whether a module is as it was trusted, right before it runs. */
  readonly check: CheckModule
}

export interface FolderConfig extends Part {
  /** Its config file above those that it stands upon; none where it does not count. */
  readonly files: readonly ConfigFile[]
}

export interface FolderPackages extends Part, Manifests {
  /** Packages that came since the folder was trusted, and wait for being looked at. */
  readonly fresh: Changes
}

/** @throws {HostError} PLUGIN_NOT_LOADED, where a module that was trusted is not the same any more */
export type CheckModule = (entry: string) => void

/** A folder's own config files; it has one of them. */
export const CONFIG_NAMES = ['braidwork.json', 'braidwork.jsonc'] as const

/** The config files that a folder has, whether they count or not. */
export function configsIn(folder: string): readonly string[] {
  const paths = CONFIG_NAMES.map((name) => join(folder, name))
  return paths.filter(isFile)
}

/**
 * The config of a folder, where it counts: where the folder was trusted, and all that decides is as it was then.
 * Nothing is read of a folder that is not trusted, and what was changed is not parsed. DESIGN 6
 * @param isWatched whether a person develops plugins in it at present, so that these may change
 * @throws {HostError} CONFIG_INVALID
 */
export function folderConfig(folder: string, isWatched = false): FolderConfig {
  const known = knownPins(folder)
  if (!known) return { ...UNKNOWN, files: [] }
  const pinning = new Pinning(known)
  const files = readConfigs(folder, pinning)
  if (!isWatched) addPlugins(files, pinning)
  return { ...partOf(pinning, known), files: pinning.changed.size > 0 ? [] : files }
}

/**
 * The packages with plugins that a folder's package.json leads to, where they count as its config does. One that is
 * new is left out, and the others stand.
 */
export function folderPackages(folder: string, isWatched = false): FolderPackages {
  const known = knownPins(folder)
  if (!known) return { ...UNKNOWN, manifests: [], diagnostics: [], fresh: new Map() }
  const { manifests, diagnostics } = packagesOf(folder)
  const isNew = (manifest: PackageManifest) =>
    !(isHosts(manifest) || Object.hasOwn(known, manifest.folder))
  const pinning = new Pinning(known)
  const others = manifests.filter((manifest) => !isNew(manifest))
  if (!isWatched) addPackages(others, pinning)
  const isSame = pinning.changed.size === 0
  const fresh = manifests.filter(isNew).map((manifest) => [manifest.folder, 'new'] as const)
  return {
    ...partOf(pinning, known),
    manifests: isSame ? others : [],
    diagnostics,
    fresh: new Map(fresh),
  }
}

/** Whether both count, and all that there is. */
export function folderTrust(folder: string): Trust {
  const config = folderConfig(folder)
  const packages = folderPackages(folder)
  if (config.trust !== 'trusted') return config.trust
  return packages.fresh.size > 0 ? 'changed' : packages.trust
}

/** What a folder's config decides by, as it is now. @throws {HostError} CONFIG_INVALID */
export function configPins(folder: string): Pins {
  const pinning = new Pinning()
  addPlugins(readConfigs(folder, pinning), pinning)
  return Object.fromEntries(pinning.pins)
}

/** What a folder decides by, as it is now. @throws {HostError} CONFIG_INVALID, MANIFEST_INVALID */
export function currentPins(folder: string): Pins {
  const pinning = new Pinning()
  addPlugins(readConfigs(folder, pinning), pinning)
  addPackages(packagesOf(folder).manifests, pinning)
  return Object.fromEntries(pinning.pins)
}

/** Why something does not count, and how it comes to. */
export function whyUntrusted(folder: string, { trust, changed }: Part, own?: string): string {
  const place = realPathOf(folder)
  const there = place === process.cwd() ? '' : ` ${quoted(place)}`
  if (trust === 'unknown') {
    return `its folder was not trusted yet. Read it, then run "braidwork trust${there}"`
  }
  const isAlone = changed.size === 1 && own !== undefined && changed.has(realPathOf(own))
  const named = (how: string) =>
    [...changed].flatMap(([path, one]) => (one === how ? [isAlone ? 'it' : `"${path}"`] : []))
  const parts = [
    ...verbed(named('changed'), ['changed', 'changed']),
    ...verbed(named('new'), ['is new', 'are new']),
  ]
  return `${parts.join(', and ')} since its folder was trusted. Look at it, then take it as it is now by "braidwork trust --update${there}"`
}

function verbed(names: readonly string[], [one, many]: readonly [string, string]): string[] {
  return names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? one : many}`]
}

/** That something of a folder does not count; an error where it once did. */
export function untrusted({ trust }: Pick<Part, 'trust'>, message: string): Diagnostic {
  return { code: 'FOLDER_UNTRUSTED', level: trust === 'changed' ? 'error' : 'warning', message }
}

const UNKNOWN: Part = { trust: 'unknown', changed: new Map(), check: () => undefined }

function partOf(pinning: Pinning, known: Pins): Part {
  const { changed } = pinning
  const check = (entry: string): void => {
    const again = new Pinning(known)
    if (!existsSync(entry) || !pinning.pins.has(realPathOf(entry))) return
    again.addPlugin(realPathOf(entry))
    const [first] = again.changed.keys()
    if (first === undefined) return
    const message = `"${first}" changed since it was trusted. Look at it, then take it as it is now: braidwork trust --update`
    throw new HostError('PLUGIN_NOT_LOADED', message)
  }
  return { trust: changed.size > 0 ? 'changed' : 'trusted', changed, check }
}

/**
 * What a folder was trusted with. One whose own package.json installs the host that runs is trusted with what it has
 * when it is first looked at.
 */
function knownPins(folder: string): Pins | undefined {
  const known = pinsOf(folder)
  if (known !== undefined || !isOwnInstallation(folder)) return known ?? undefined
  const pins = currentPins(folder)
  try {
    pin(folder, pins)
  } catch {
    // A home that cannot be written to remembers nothing: each look is the first.
  }
  return pins
}

/** Of two config files in one folder neither is read. */
function readConfigs(folder: string, pinning: Pinning): readonly ConfigFile[] {
  const [path, other] = configsIn(folder)
  if (path === undefined) return []
  try {
    const read = (file: string) => readPinned(file, pinning)
    if (other !== undefined) {
      for (const file of [path, other]) read(file)
      throw twoConfigs(folder)
    }
    return readConfigChain(path, read)
  } catch (error) {
    if (HostError.is(error) && error.code === 'FOLDER_UNTRUSTED') return []
    throw error
  }
}

function addPlugins(files: readonly ConfigFile[], pinning: Pinning): void {
  for (const { config } of files)
    for (const plugin of config.plugins ?? []) pinning.addPlugin(plugin)
}

function readPinned(file: string, pinning: Pinning): string {
  const text = pinning.read(file)
  if (text !== undefined) return text
  throw new HostError('FOLDER_UNTRUSTED', `"${file}" changed since its folder was trusted.`)
}

function twoConfigs(folder: string): HostError {
  const message = `${folder} has both ${CONFIG_NAMES.join(' and ')}; keep one of them.`
  return new HostError('CONFIG_INVALID', message)
}

function addPackages(manifests: readonly PackageManifest[], pinning: Pinning): void {
  for (const manifest of manifests) if (!isHosts(manifest)) pinning.addPackage(manifest.folder)
}

/** What is in the host's own folder is the host. */
function isHosts({ folder }: PackageManifest): boolean {
  const root = hostRoot()
  return root !== undefined && folder.startsWith(`${realPathOf(root)}${sep}`)
}

const INSTALLING = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/**
 * Whether the host that runs is what this folder's own package.json installed, really within it: a link to it can be
 * put into any folder. Or whether the host is a part of this folder.
 */
function isOwnInstallation(folder: string): boolean {
  const here = realPathOf(folder)
  const host = hostFolder()
  if (host === undefined) return false
  if (here === hostRoot()) return true
  const installed = join(here, 'node_modules', 'braidwork')
  if (!existsSync(installed) || realPathOf(installed) !== host) return false
  if (!host.startsWith(join(here, 'node_modules') + sep)) return false
  const json = readPackageJson(here)
  return INSTALLING.some((key) => isObject(json?.[key]) && Object.hasOwn(json[key], 'braidwork'))
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
