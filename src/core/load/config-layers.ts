import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import { AGENTS_FOLDER, type AgentText, readAgentTexts } from './agent-texts.ts'
import { type ConfigFile, readConfigChain } from './config-file.ts'
import { realPathOr, upwards } from './locate.ts'
import { type CheckModule, configsIn, folderConfig } from './trusted-folder.ts'
import { userFile } from './user-folder.ts'
import { untrusted, whyUntrusted } from './why-untrusted.ts'

/** A layer of a config, and its origin. */
export interface Layer {
  readonly from: 'user' | 'project' | 'file' | 'command line'
  /** The file, if the layer comes from one. */
  readonly file?: ConfigFile
  readonly config: ConfigLayer
}

export interface FoundLayers {
  /** Lowest layer first. */
  readonly layers: readonly Layer[]
  /** The files beside the user's config and beside the project's (or the named) one that declare agents. */
  readonly agents: readonly AgentText[]
  readonly diagnostics: readonly Diagnostic[]
  /** Checks a module of the project again, immediately before it runs. */
  readonly check?: CheckModule
}

export interface FindOptions {
  readonly from: string
  readonly file?: string | undefined
  /** Whether to search in parent folders too. The default is true. */
  readonly walksUp?: boolean | undefined
  /** Whether plugins of a trusted folder may change, because a developer works on them. */
  readonly isWatched?: boolean | undefined
}

/** The path of the user's own config file, which need not exist. Undefined if the user has no home folder. */
export function userConfigFile(): string | undefined {
  return userFile('braidwork.json')
}

/**
 * Finds the layers that come from files: the user's config, then the file that was named, else the project's config.
 * The project's config is the one in the nearest parent folder whose config is trusted. Untrusted configs are ignored,
 * with a diagnostic. CL-19
 * @throws {HostError} CONFIG_INVALID
 */
export function findLayers({ from, file, walksUp = true, isWatched }: FindOptions): FoundLayers {
  const user = userConfigFile()
  const own = user && existsSync(user) ? layersOf('user', readConfigChain(user)) : []
  const ownAgents = user ? readAgentTexts(besideOf(user)) : []
  if (file !== undefined) {
    const layers = [...own, ...layersOf('file', readConfigChain(file))]
    return { layers, agents: joined(ownAgents, readAgentTexts(besideOf(file))), diagnostics: [] }
  }
  const diagnostics: Diagnostic[] = []
  for (const folder of walksUp ? upwards(from) : [from]) {
    const [path] = configsIn(folder)
    if (path === undefined) continue
    const found = folderConfig(folder, isWatched)
    const { trust, check } = found
    if (trust === 'trusted') {
      const { layer, diagnostics: faults } = found.servers
      const servers: Layer[] = layer ? [{ from: 'project', config: layer }] : []
      const layers = [...own, ...servers, ...layersOf('project', found.files)]
      diagnostics.push(...faults)
      return { layers, agents: joined(ownAgents, found.agents), diagnostics, check }
    }
    const why = whyUntrusted(folder, found, path)
    diagnostics.push(untrusted(found, `"${path}" is not used: ${why}, or name it with --config.`))
  }
  return { layers: own, agents: ownAgents, diagnostics }
}

/** The user's agents and those of a folder, each once: the folder may be the user's. */
function joined(own: readonly AgentText[], found: readonly AgentText[]): readonly AgentText[] {
  const known = new Set(own.map(({ path }) => realPathOr(path)))
  return [...own, ...found.filter(({ path }) => !known.has(realPathOr(path)))]
}

/** The folder of agents beside a config file. */
function besideOf(file: string): string {
  return join(dirname(file), AGENTS_FOLDER)
}

function layersOf(from: Layer['from'], files: readonly ConfigFile[]): readonly Layer[] {
  return files.map((file) => ({ from, file, config: file.config }))
}
