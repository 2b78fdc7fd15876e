import type { Storage } from '../agent/storage/index.ts'
import { HostError } from '../errors.ts'

/**
 * The storage that a setting names: `memory`, `postgres://…`, or the path of a file of SQLite.
 * @throws {HostError} OPTION_INVALID for an address of another kind; STORAGE_FAILED, STORAGE_NEWER
 */
export async function openStorage(place: string): Promise<Storage> {
  if (place === 'memory') return (await import('./memory/index.ts')).memoryStorage()
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    return (await import('./postgres/index.ts')).postgresStorage(place)
  }
  // One letter is a drive.
  const [, scheme] = /^([a-z][\w+.-]+):/i.exec(place) ?? []
  if (scheme !== undefined && scheme.toLowerCase() !== 'file') {
    throw new HostError(
      'OPTION_INVALID',
      `A storage is "memory", a path or "file:" address of SQLite, or "postgres://…", nothing of "${scheme}:".`,
    )
  }
  return (await import('./sqlite/index.ts')).sqliteStorage(place)
}
