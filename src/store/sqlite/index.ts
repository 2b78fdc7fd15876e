import type { Storage } from '@braidwork/agent'
import { pathOf } from '../place-path.ts'
import { type SqlDatabase, type SqlTypes, sqlStorage } from '../sql/index.ts'
import { copyFile } from './copying.ts'
import { failureOf } from './locked-file.ts'
import { fileOf, openConnection } from './opening.ts'
import { SqliteDatabase } from './sqlite-database.ts'

/** The words of SQLite. */
export const SQLITE: SqlTypes = {
  bytes: 'BLOB',
  integer: 'INTEGER',
  position: 'instr',
  isPlanned: false,
  tables: "SELECT name FROM sqlite_master WHERE type = 'table'",
}

/**
 * Opens a storage in one SQLite file, which several processes may use at once. Creates the file and its folder if
 * they do not exist.
 * @param place a path, a `file:` address, or `:memory:`
 * @throws {HostError} STORAGE_FAILED, STORAGE_NEWER
 */
export async function sqliteStorage(place: string): Promise<Storage> {
  return sqlStorage(open(place), SQLITE)
}

/**
 * Writes a consistent copy of an SQLite storage into an existing, empty file, while other processes use the storage.
 * @param place a path or a `file:` address
 * @throws {HostError} STORAGE_FAILED
 */
export async function copySqlite(place: string, target: string): Promise<void> {
  await copyFile(pathOf(place), target)
}

function open(place: string): SqlDatabase {
  try {
    const path = fileOf(place)
    return new SqliteDatabase(openConnection(path), path)
  } catch (error) {
    throw failureOf(error)
  }
}
