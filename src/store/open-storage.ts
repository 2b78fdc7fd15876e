import type { Storage } from '../agent/storage/index.ts'

/**
 * The storage that a setting names: `memory`, `postgres://…`, or the path of a file of SQLite.
 * @throws {HostError} STORAGE_FAILED, STORAGE_NEWER
 */
export async function openStorage(place: string): Promise<Storage> {
  if (place === 'memory') return (await import('./memory/index.ts')).memoryStorage()
  if (/^postgres(?:ql)?:\/\//.test(place)) {
    return (await import('./postgres/index.ts')).postgresStorage(place)
  }
  return (await import('./sqlite/index.ts')).sqliteStorage(place)
}
