import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { HostError, isObject } from '@braidwork/plugin'
import { AGENTS_FOLDER, type AgentText, readAgentTexts } from './agent-texts.ts'
import { type ConfigFile, readConfigChain } from './config-file.ts'
import { type Manifests, packagesOf, readablePackages } from './folder-packages.ts'
import { hostFolder, hostRoot, isFile } from './locate.ts'
import type { PackageManifest } from './manifest.ts'
import { readPackageJson } from './package-json.ts'
import { Pinning } from './pinning.ts'
import { type ProjectServers, readProjectServers } from './project-servers.ts'
import { type Pins, pin, pinsOf, realPathOf } from './trust.ts'
import type { Changes, Trust, TrustState } from './why-untrusted.ts'

/** The trust in the config, or in the packages, of a folder. */
interface Part extends TrustState {
  /** Checks again that a module has not changed, immediately before it runs. */
  readonly check: CheckModule
}

export interface FolderConfig extends Part {
  /** The folder's config file above the files that it extends. Empty if it is not trusted. */
  readonly files: readonly ConfigFile[]
  /** The files beside it that declare agents. Empty if it is not trusted. */
  readonly agents: readonly AgentText[]
  /** The MCP servers of the project. Empty if it is not trusted. */
  readonly servers: ProjectServers
}

export interface FolderPackages extends Part, Manifests {
  /** Packages added since the folder was trusted. They are not loaded until a person trusts them. */
  readonly fresh: Changes
}

/** Checks a module. @throws {HostError} PLUGIN_NOT_LOADED, if it has changed since it was trusted */
export type CheckModule = (entry: string) => void

/** The names of a folder's config file. A folder may have only one of them. */
export const CONFIG_NAMES = ['braidwork.json', 'braidwork.jsonc'] as const

/** The config files in a folder, whether they are trusted or not. */
export function configsIn(folder: string): readonly string[] {
  const paths = CONFIG_NAMES.map((name) => join(folder, name))
  return paths.filter(isFile)
}

/**
 * The config of a folder, if it is trusted and all files that it depends on are unchanged since then. In a folder that
 * is not trusted no file is read, and changed files are not parsed.
 * @param isWatched whether a developer works on plugins in the folder, so that these may change
 * @throws {HostError} CONFIG_INVALID
 */
export function folderConfig(folder: string, isWatched = false): FolderConfig {
  const known = knownPins(folder)
  if (!known) return { ...UNKNOWN, files: [], agents: [], servers: { diagnostics: [] } }
  const pinning = new Pinning(known)
  const files = readConfigs(folder, pinning)
  const agents = readAgents(folder, pinning)
  const servers = readServers(folder, pinning)
  if (!isWatched) addPlugins(files, pinning)
  const isSame = pinning.changed.size === 0
  return {
    ...partOf(pinning, known),
    files: isSame ? files : [],
    agents: isSame ? agents : [],
    servers: isSame ? servers : { diagnostics: [] },
  }
}

/**
 * The plugin packages that a folder's package.json leads to, under the same conditions as the folder's config. A new
 * package is left out; the others remain.
 */
export function folderPackages(folder: string, isWatched = false): FolderPackages {
  const known = knownPins(folder)
  if (!known) return { ...UNKNOWN, manifests: [], diagnostics: [], fresh: new Map() }
  const { manifests, diagnostics } = readablePackages(folder)
  const foreign = new Set(foreignFolders(manifests))
  const isNew = (one: PackageManifest) =>
    foreign.has(one.folder) && !Object.hasOwn(known, one.folder)
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

/** Whether the folder's config and all of its packages are trusted. */
export function folderTrust(folder: string): Trust {
  const config = folderConfig(folder)
  const packages = folderPackages(folder)
  if (config.trust !== 'trusted') return config.trust
  return packages.fresh.size > 0 ? 'changed' : packages.trust
}

/** Whether a person has trusted a folder, or it contains the running host. What is in it may have changed since. */
export function isTrusted(folder: string): boolean {
  return isObject(pinsOf(folder)) || (pinsOf(folder) === undefined && isOwnInstallation(folder))
}

/** The pins for the present state of a folder's config. @throws {HostError} CONFIG_INVALID */
export function configPins(folder: string): Pins {
  const pinning = new Pinning()
  addConfig(folder, pinning)
  return Object.fromEntries(pinning.pins)
}

/** The pins for the present config and packages of a folder. @throws {HostError} CONFIG_INVALID, MANIFEST_INVALID */
export function currentPins(folder: string): Pins {
  const pinning = new Pinning()
  addConfig(folder, pinning)
  addPackages(packagesOf(folder).manifests, pinning)
  return Object.fromEntries(pinning.pins)
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
    const message = `"${first}" changed since it was trusted. Review the change, then accept it with: braidwork trust --update`
    throw new HostError('PLUGIN_NOT_LOADED', message)
  }
  return { trust: changed.size > 0 ? 'changed' : 'trusted', changed, check }
}

/**
 * The pins of a folder. A folder whose package.json installs the running host is trusted with the content that it has
 * when it is first read.
 */
function knownPins(folder: string): Pins | undefined {
  const known = pinsOf(folder)
  if (known !== undefined || !isOwnInstallation(folder)) return known ?? undefined
  const pins = currentPins(folder)
  try {
    pin(folder, pins)
  } catch {
    // If the home folder is not writable, the pins are not kept, and the next call makes them again.
  }
  return pins
}

/** Reads the config of a folder, unless it has two config files: then it is an error. */
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

function addConfig(folder: string, pinning: Pinning): void {
  addPlugins(readConfigs(folder, pinning), pinning)
  readAgents(folder, pinning)
  readServers(folder, pinning)
}

/** Reads the agents beside the config of a folder. They decide what a model is told and which tools it has. */
function readAgents(folder: string, pinning: Pinning): readonly AgentText[] {
  if (configsIn(folder).length === 0) return []
  return readAgentTexts(join(folder, AGENTS_FOLDER), (path) => pinning.readText(path))
}

/** Reads the MCP servers beside the config of a folder. They decide which programs run. */
function readServers(folder: string, pinning: Pinning): ProjectServers {
  if (configsIn(folder).length === 0) return { diagnostics: [] }
  return readProjectServers(folder, (path) => pinning.read(path))
}

function addPlugins(files: readonly ConfigFile[], pinning: Pinning): void {
  for (const { config } of files)
    for (const plugin of config.plugins ?? []) pinning.addPlugin(plugin)
}

function readPinned(file: string, pinning: Pinning): string {
  const text = pinning.readText(file)
  if (text !== undefined) return text
  throw new HostError('FOLDER_UNTRUSTED', `"${file}" changed since its folder was trusted.`)
}

function twoConfigs(folder: string): HostError {
  const message = `${folder} has both ${CONFIG_NAMES.join(' and ')}; keep one of them.`
  return new HostError('CONFIG_INVALID', message)
}

function addPackages(manifests: readonly PackageManifest[], pinning: Pinning): void {
  for (const folder of foreignFolders(manifests)) pinning.addPackage(folder)
}

/** The folders of the packages that are not part of the host: those outside the host's own folder. */
function foreignFolders(manifests: readonly PackageManifest[]): readonly string[] {
  const folders = manifests.map(({ folder }) => folder)
  const root = hostRoot()
  if (root === undefined) return folders
  const inside = `${realPathOf(root)}${sep}`
  return folders.filter((folder) => !folder.startsWith(inside))
}

const INSTALLING = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/**
 * Whether a folder contains the running host: either as the installation of its own package.json (really inside the
 * folder, because a link to the host can be put into any folder), or because the host is a part of the folder.
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
