import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { readRegularText } from '../regular-file.ts'

/** Reads a folder's package.json. Undefined if there is none. @throws {HostError} MANIFEST_INVALID */
export function readPackageJson(folder: string): { readonly [key: string]: unknown } | undefined {
  let text: string
  try {
    text = readRegularText(join(folder, 'package.json'))
  } catch {
    return undefined
  }
  try {
    const json: unknown = JSON.parse(text)
    if (isObject(json)) return json
  } catch (error) {
    throw invalidManifest(folder, '', messageOf(error))
  }
  throw invalidManifest(folder, '', 'it is not an object')
}

/** The folders of workspaces. Supports the forms `path` and `path/*`. */
export function workspaceFolders(folder: string, workspaces: unknown): string[] {
  const patterns = strings(isObject(workspaces) ? workspaces['packages'] : workspaces)
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [join(folder, pattern)]
    const parent = join(folder, dirname(pattern))
    if (!existsSync(parent)) return []
    const entries = readdirSync(parent, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(parent, entry.name))
  })
}

/** The strings in a list. Empty for a value that is not a list. */
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** The error for a fault in a folder's package.json. */
export function invalidManifest(folder: string, pointer: string, reason: string): HostError {
  return new HostError(
    'MANIFEST_INVALID',
    `package.json of "${folder}" is not valid at ${pointer || '/'}: ${reason}.`,
    { pointer },
  )
}
