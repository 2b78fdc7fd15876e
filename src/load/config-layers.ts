import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Diagnostic, HostError } from '../errors.ts'
import type { ConfigLayer } from '../schema/layers.ts'
import { type ConfigFile, readConfigChain } from './config-file.ts'
import { upwards } from './locate.ts'
import { folderTrust, whyUntrusted } from './trusted-folder.ts'
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
}

const NAMES = ['braidwork.json', 'braidwork.jsonc']

/** The user's own config file, whether it is there or not. */
export function userConfigFile(): string {
  return userFile('braidwork.json')
}

/**
 * The nearest config file from a folder upwards, or that of the folder alone.
 * @throws {HostError} CONFIG_INVALID, where a folder has two
 */
export function projectConfigFile(from: string, walksUp = true): string | undefined {
  for (const folder of walksUp ? upwards(from) : [from]) {
    const found = NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path))
    if (found.length > 1) {
      throw new HostError(
        'CONFIG_INVALID',
        `${folder} has both ${NAMES.join(' and ')}; keep one of them.`,
      )
    }
    if (found[0] !== undefined) return found[0]
  }
  return undefined
}

/**
 * The layers of files: the user's, then a file that was named, else the project's, which counts only where
 * its folder is trusted. CL-19
 * @throws {HostError} CONFIG_INVALID
 */
export function findLayers({
  from,
  file,
  walksUp,
}: {
  readonly from: string
  readonly file?: string | undefined
  /** Whether folders above are looked into; yes where it is not said. */
  readonly walksUp?: boolean | undefined
}): FoundLayers {
  const user = userConfigFile()
  const own = existsSync(user) ? layersOf('user', user) : []
  if (file !== undefined) return { layers: [...own, ...layersOf('file', file)], diagnostics: [] }
  const project = projectConfigFile(from, walksUp)
  if (project === undefined) return { layers: own, diagnostics: [] }
  const trust = folderTrust(dirname(project))
  if (trust === 'trusted')
    return { layers: [...own, ...layersOf('project', project)], diagnostics: [] }
  const message = `"${project}" is not used: ${whyUntrusted(trust)} Read it, then run "braidwork trust" there, or give it by --config.`
  return { layers: own, diagnostics: [{ code: 'FOLDER_UNTRUSTED', level: 'warning', message }] }
}

/** A file's own layer, above those that it extends. */
function layersOf(from: Layer['from'], path: string): readonly Layer[] {
  return readConfigChain(path).map((file) => ({ from, file, config: file.config }))
}
