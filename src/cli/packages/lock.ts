import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addedFile, neededFile, replaceFile } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** What is recorded of a package that `braidwork plugins add` installed. */
export interface LockEntry {
  readonly version: string
  /** The versions that `braidwork plugins update` may take. */
  readonly range: string
  /** The hash of the tarball, as the registry has it (Subresource Integrity). */
  readonly integrity: string
}

/** The entries by the names of the packages. */
export type Lock = { readonly [name: string]: LockEntry }

const FIELDS = ['version', 'range', 'integrity'] as const

/** The file of the entries, beside the list of the added plugins. @throws {HostError} ENV_MISSING */
export function lockFile(): string {
  return join(dirname(neededFile(addedFile(), 'XDG_CONFIG_HOME')), 'plugins-lock.json')
}

/** Reads the entries. Empty if the file does not exist. @throws {HostError} CONFIG_INVALID */
export function readLock(file = addedFile() && lockFile()): Lock {
  if (file === undefined || !existsSync(file)) return {}
  let reason = 'it is not an object {"packages": {name: {version, range, integrity}}}'
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const packages = isObject(content) ? content['packages'] : undefined
    if (isObject(packages) && Object.values(packages).every(isEntry)) return packages as Lock
  } catch (error) {
    reason = messageOf(error)
  }
  throw new HostError(
    'CONFIG_INVALID',
    `The list of installed plugins "${file}" cannot be read: ${reason}. Correct the file, or delete it and add the plugins again.`,
  )
}

/** Writes the entries in order of name. */
export function writeLock(lock: Lock, file = lockFile()): void {
  const packages = Object.fromEntries(Object.entries(lock).sort(([a], [b]) => (a < b ? -1 : 1)))
  replaceFile(file, `${JSON.stringify({ packages }, null, 2)}\n`)
}

function isEntry(value: unknown): boolean {
  return isObject(value) && FIELDS.every((field) => typeof value[field] === 'string')
}
