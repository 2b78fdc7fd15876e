import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readConfigChain } from './config-file.ts'
import { HOST_FOLDER, nearestPackage } from './locate.ts'
import { type Trust, trustOf } from './trust.ts'

/** Files of a folder that say what is loaded from it. */
const DECIDING = ['package.json', 'braidwork.json', 'braidwork.jsonc']

/**
 * Whether what is found in a folder may be used: where the folder was trusted with its files as they are,
 * and where the installation of the host that runs is the folder's own. DESIGN 6
 */
export function folderTrust(folder: string): Trust {
  const installation = nearestPackage(folder)
  if (installation !== undefined && isOwnInstallation(installation)) return 'trusted'
  return trustOf(folder, decidingFiles)
}

/** The files of a folder that trust in it is about, and those that its config stands upon. */
export function decidingFiles(folder: string): readonly string[] {
  const own = DECIDING.map((name) => join(folder, name)).filter((path) => existsSync(path))
  const configs = own.filter((path) => !path.endsWith('package.json'))
  const bases = configs.flatMap((path) => readConfigChain(path).map((file) => file.path))
  return [...new Set([...own, ...bases])]
}

export function whyUntrusted(trust: Exclude<Trust, 'trusted'>): string {
  return trust === 'changed'
    ? 'it changed since its folder was trusted.'
    : 'its folder was not trusted yet.'
}

/** Whether the host that runs is installed in this folder, or is this folder. */
function isOwnInstallation(folder: string): boolean {
  const installed = join(folder, 'node_modules', 'braidwork')
  const own = realpathSync(HOST_FOLDER)
  if (realpathSync(folder) === own) return true
  return existsSync(installed) && realpathSync(installed) === own
}
