import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { foldersPinning, pin } from './trust.ts'
import { configPins, currentPins, folderTrust } from './trusted-folder.ts'

/**
 * Writes a config file; the folders that it decides for, and that counted right before, count with what was written.
 * @param isNew whether its folder is to count by this config, where nobody trusted it yet
 */
export function keepingTrust(file: string, write: () => void, isNew = false): void {
  const own = dirname(file)
  const others = existsSync(file) ? foldersPinning(file) : []
  const folders = [...new Set([own, ...others])].filter(existsSync)
  const trusts = folders.map((folder) => ({ folder, trust: folderTrust(folder) }))
  write()
  for (const { folder, trust } of trusts) {
    if (trust === 'trusted') pin(folder, currentPins(folder))
    // What else is there was looked at by nobody.
    else if (isNew && folder === own && trust === 'unknown') pin(folder, configPins(folder))
  }
}
