import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { foldersPinning, pin, trustFile } from './trust.ts'
import { configPins, currentPins, folderTrust } from './trusted-folder.ts'
import { neededFile } from './user-folder.ts'

/**
 * Writes a config file. Folders whose trust covers the file, and that were unchanged until now, stay trusted with the
 * new content.
 * @param isNew whether the config of the file's folder becomes trusted, if the folder was unknown before
 * @throws {HostError} ENV_MISSING if it would become trusted, but the user has no home folder; nothing is written then
 */
export function keepingTrust(file: string, write: () => void, isNew = false): void {
  if (isNew) neededFile(trustFile(), 'XDG_CONFIG_HOME')
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
