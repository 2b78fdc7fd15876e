import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Diagnostic, HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Variables } from '../config/index.ts'
import { MANIFEST_FILES } from './manifest.ts'
import { replaceFile, userFile } from './user-folder.ts'

/** The plugins that a person named to the command once; their naming is the trust. DESIGN 6 */
export interface AddedPlugins {
  /** Folders of packages, by their real paths. */
  readonly folders: readonly string[]
  /** Those that are gone. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The file that they stand in: in the user's config folder. */
export function addedFile(variables: Variables = process.env): string {
  return userFile('plugins.json', variables)
}

/** What was added so far; nothing where the file is not there. @throws {HostError} CONFIG_INVALID */
export function readAdded(file = addedFile()): AddedPlugins {
  const folders = existsSync(file) ? parseAdded(file) : []
  const gone = folders.filter(
    (folder) => !MANIFEST_FILES.some((one) => existsSync(join(folder, one))),
  )
  return { folders, diagnostics: gone.map(pluginGone) }
}

/** Writes what was added. */
export function writeAdded(folders: readonly string[], file = addedFile()): void {
  replaceFile(file, `${JSON.stringify({ plugins: folders }, null, 2)}\n`)
}

function parseAdded(file: string): readonly string[] {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const folders = isObject(content) ? content['plugins'] : undefined
    if (Array.isArray(folders) && folders.every(isFolderPath)) return folders
  } catch (error) {
    throw invalid(file, messageOf(error))
  }
  throw invalid(file, 'it is no object {"plugins": [absolute paths]}')
}

function isFolderPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value)
}

function pluginGone(folder: string): Diagnostic {
  return {
    code: 'PLUGIN_NOT_LOADED',
    level: 'warning',
    plugin: folder,
    message: `The plugin that was added from "${folder}" is not there any more. To forget it: braidwork plugins remove "${folder}"`,
  }
}

function invalid(file: string, reason: string): HostError {
  return new HostError(
    'CONFIG_INVALID',
    `The list of added plugins "${file}" cannot be read: ${reason}. Mend it, or delete it and add the plugins again.`,
  )
}
