import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { foldersPinning, pin } from './trust.ts'
import { configPins, currentPins, folderTrust } from './trusted-folder.ts'

/**
 * Writes a config file. Folders whose trust covers the file, and that were unchanged until now, stay trusted with the
 * new content.
 * @param isNew whether the config of the file's folder becomes trusted, if the folder was unknown before
 */
export function keepingTrust(file: string, write: () => void, isNew = false): void {
  const own = dirname(file)
  const others = existsSync(file) ? foldersPinning(file) : []
  const folders = [...new Set([own, ...others])].filter(existsSync)
  const trusts = folders.map((folder) => ({ folder, trust: folderTrust(folder) }))
  write()
  for (const { folder, trust } of trusts) {
    if (trust === 'trusted') pin(folder, currentPins(folder))
    // Only the config becomes trusted, because nobody has reviewed the other files in the folder.
    else if (isNew && folder === own && trust === 'unknown') pin(folder, configPins(folder))
  }
}
