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

/** One of the layers of a config, with where it is from. */
export interface Layer {
  readonly from: 'user' | 'project' | 'file' | 'command line'
  /** The file, where it is from one. */
  readonly file?: ConfigFile
  readonly config: ConfigLayer
}

export interface FoundLayers {
  /** Lowest first. */
  readonly layers: readonly Layer[]
  readonly diagnostics: readonly Diagnostic[]
  /** Looks again at a module of the project's, right before it runs. */
  readonly check?: CheckModule
}

export interface FindOptions {
  readonly from: string
  readonly file?: string | undefined
  /** Whether folders above are looked into; yes where it is not said. */
  readonly walksUp?: boolean | undefined
  /** Whether plugins of a trusted folder may have changed, as their developer is at work. */
  readonly isWatched?: boolean | undefined
}

/** The user's own config file, whether it is there or not. */
export function userConfigFile(): string {
  return userFile('braidwork.json')
}

/**
 * The layers of files: the user's, then a file that was named, else the project's: that of the nearest folder
 * upwards whose config counts. One that does not count changes nothing, and is told. CL-19
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
    diagnostics.push(untrusted(found, `"${path}" is not used: ${why}, or give it by --config.`))
  }
  return { layers: own, diagnostics }
}

function layersOf(from: Layer['from'], files: readonly ConfigFile[]): readonly Layer[] {
  return files.map((file) => ({ from, file, config: file.config }))
}
