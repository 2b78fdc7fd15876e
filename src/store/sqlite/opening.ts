import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { HostError } from '@braidwork/plugin'
import type Database from 'libsql'
import { pathOf } from '../place-path.ts'
import { Connection } from './driver.ts'
import { failureOf, isBusy } from './locked-file.ts'

/** How long opening waits for another process, in milliseconds. It blocks everything else in this process. */
const OPENING_TIMEOUT = 5000
/** How long a statement waits for another process, in milliseconds. The driver blocks everything else meanwhile. */
const BUSY_TIMEOUT = 25
/** The pause between two tries to switch to the log, in milliseconds, and a value on which it waits. */
const PAUSE_LENGTH = 10
const PAUSE = new Int32Array(new SharedArrayBuffer(4))
/** The value of `auto_vacuum` for a file that gives free pages back on request. */
const INCREMENTAL = 2
/** A file of at most this many bytes may be rewritten when it is opened. */
const MOST_REWRITTEN = 32 << 20
/** The size to which the log is cut after a checkpoint, in bytes. */
const MOST_JOURNAL = 16 << 20
/**
 * Conversations are private to their owners, so no other user of the system may read the file or a folder created
 * for it.
 */
const FILE_RIGHTS = 0o600
const FOLDER_RIGHTS = 0o700

/** The place of a database that is in memory, and is that of one connection alone. */
export const IN_MEMORY = ':memory:'

/**
 * Opens a connection with the settings that the storage needs.
 * @throws {HostError} STORAGE_FAILED
 */
export function openConnection(path: string): Database.Database {
  try {
    return settle(new Connection(path))
  } catch (error) {
    throw failureOf(error)
  }
}

function settle(connection: Database.Database): Database.Database {
  // Set the timeout first: changing the journal mode may have to wait itself.
  connection.pragma(`busy_timeout = ${OPENING_TIMEOUT}`)
  whenFree(() => assertOwn(connection))
  // Set this before the first page is written, since it determines the layout of the file.
  connection.pragma('auto_vacuum = INCREMENTAL')
  whenFree(() => connection.pragma('journal_mode = WAL'))
  connection.pragma(`journal_size_limit = ${MOST_JOURNAL}`)
  connection.pragma('synchronous = NORMAL')
  connection.pragma('foreign_keys = ON')
  layOut(connection)
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
  return connection
}

/** Refuses the database of another program before anything in it changes. @throws {HostError} STORAGE_FAILED */
function assertOwn(connection: Database.Database): void {
  const rows = connection
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all() as readonly { readonly name: string }[]
  const [first] = rows
  if (first === undefined) return
  const has = (table: string) => rows.some(({ name }) => name === table)
  if (has('schema_version')) return
  const table = JSON.stringify(first.name.slice(0, 100))
  throw new HostError(
    'STORAGE_FAILED',
    `It is the database of another program: it has the table ${table}, and no schema of Braidwork. Name another file.`,
    { retryable: false },
  )
}

/**
 * Reads the file, or switches it to the write-ahead log. While another process opens the file too, SQLite may refuse
 * that at once instead of waiting, since both could wait for each other.
 */
function whenFree(act: () => unknown): void {
  const until = performance.now() + OPENING_TIMEOUT
  for (;;) {
    try {
      act()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(PAUSE, 0, 0, PAUSE_LENGTH)
    }
  }
}

/**
 * Rewrites a small file that was created by a version without `auto_vacuum`. Rewriting a large one would block
 * everything; for that there is `braidwork store compact`.
 */
function layOut(connection: Database.Database): void {
  const numberOf = (name: string) => {
    const [row = {}] = connection.pragma(name) as readonly object[]
    return Number(Object.values(row)[0])
  }
  if (numberOf('auto_vacuum') === INCREMENTAL) return
  if (numberOf('page_count') * numberOf('page_size') > MOST_REWRITTEN) return
  try {
    connection.exec('VACUUM')
  } catch {
    // Another process writes the file, or the disk is full. The file works as before.
  }
}

/** Returns the path of the database file. Creates the file if it does not exist. */
export function fileOf(place: string): string {
  if (place === IN_MEMORY) return place
  const path = pathOf(place)
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_RIGHTS })
  closeSync(openSync(path, 'a', FILE_RIGHTS))
  return path
}
