import { existsSync } from 'node:fs'
import type { Diagnostic } from '@braidwork/plugin'
import type { ConfigLayer } from '../config/index.ts'
import { type ConfigFile, readConfigChain } from './config-file.ts'
import { upwards } from './locate.ts'
import {
  type CheckModule,
  configsIn,
  folderConfig,
  untrusted,
  whyUntrusted,
} from './trusted-folder.ts'
import { userFile } from './user-folder.ts'

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

/** The path of the user's own config file, which need not exist. */
export function userConfigFile(): string {
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
  const own = existsSync(user) ? layersOf('user', readConfigChain(user)) : []
  if (file !== undefined) {
    return { layers: [...own, ...layersOf('file', readConfigChain(file))], diagnostics: [] }
  }
  const diagnostics: Diagnostic[] = []
  for (const folder of walksUp ? upwards(from) : [from]) {
    const [path] = configsIn(folder)
    if (path === undefined) continue
    const found = folderConfig(folder, isWatched)
    const { trust, check } = found
    if (trust === 'trusted') {
      return { layers: [...own, ...layersOf('project', found.files)], diagnostics, check }
    }
    const why = whyUntrusted(folder, found, path)
    diagnostics.push(untrusted(found, `"${path}" is not used: ${why}, or name it with --config.`))
  }
  return { layers: own, diagnostics }
}

function layersOf(from: Layer['from'], files: readonly ConfigFile[]): readonly Layer[] {
  return files.map((file) => ({ from, file, config: file.config }))
}
