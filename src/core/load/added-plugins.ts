import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type Diagnostic, HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Variables } from '../config/index.ts'
import { MANIFEST_FILES } from './manifest.ts'
import { replaceFile, userFile } from './user-folder.ts'

/** The plugins that a person added with `braidwork plugins add`, which also makes them trusted. */
export interface AddedPlugins {
  /** Their packages' folders: real paths, but of a package in `node_modules` its path there. */
  readonly folders: readonly string[]
  /** A diagnostic for each folder that no longer exists. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The file that lists the added plugins, in the user's config folder. Undefined if the user has no home folder. */
export function addedFile(variables: Variables = process.env): string | undefined {
  return userFile('plugins.json', variables)
}

/** Reads the added plugins. Empty if the file does not exist. @throws {HostError} CONFIG_INVALID */
export function readAdded(file = addedFile()): AddedPlugins {
  const folders = file !== undefined && existsSync(file) ? parseAdded(file) : []
  const gone = folders.filter(
    (folder) => !MANIFEST_FILES.some((one) => existsSync(join(folder, one))),
  )
  return { folders, diagnostics: gone.map(pluginGone) }
}

/** Writes the list of added plugins. @throws {HostError} ENV_MISSING if the user has no home folder */
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
  throw invalid(file, 'it is not an object {"plugins": [absolute paths]}')
}

function isFolderPath(value: unknown): value is string {
  return typeof value === 'string' && isAbsolute(value)
}

function pluginGone(folder: string): Diagnostic {
  return {
    code: 'PLUGIN_NOT_LOADED',
    level: 'warning',
    plugin: folder,
    message: `The plugin added from "${folder}" no longer exists. Install it there again, or add it from its new place with "braidwork plugins add". To remove it from the list: braidwork plugins remove "${folder}"`,
  }
}

function invalid(file: string, reason: string): HostError {
  return new HostError(
    'CONFIG_INVALID',
    `The list of added plugins "${file}" cannot be read: ${reason}. Correct the file, or delete it and add the plugins again.`,
  )
}
