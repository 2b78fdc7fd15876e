import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'

/** Milliseconds that the opening waits for another process, and everything else in this one with it. */
const OPENING_TIMEOUT = 5000
/** The same for each statement: its driver does not let anything else happen meanwhile. */
const BUSY_TIMEOUT = 25
/** What `auto_vacuum` is where pages are given back when that is asked for. */
const INCREMENTAL = 2
/** Bytes of a file that is written anew when it is opened. */
const MOST_REWRITTEN = 32 << 20
/** Bytes that the log beside the file keeps once they are in the file. */
const MOST_JOURNAL = 16 << 20
/** Conversations are nobody's but their owner's: neither the file nor a folder made for it is others' to read. */
const FILE_RIGHTS = 0o600
const FOLDER_RIGHTS = 0o700

/** A connection as storage needs it. */
export function openConnection(path: string): Database.Database {
  const connection = new Database(path)
  // The wait first: changing the journal may have to wait itself.
  connection.pragma(`busy_timeout = ${OPENING_TIMEOUT}`)
  // Before there is a first page: it says how the file is laid out.
  connection.pragma('auto_vacuum = INCREMENTAL')
  connection.pragma('journal_mode = WAL')
  connection.pragma(`journal_size_limit = ${MOST_JOURNAL}`)
  connection.pragma('synchronous = NORMAL')
  connection.pragma('foreign_keys = ON')
  layOut(connection)
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
  return connection
}

/**
 * A file that was made before pages could be given back is written anew, if it is small. A large one would keep
 * everybody waiting: `braidwork store compact` does it.
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
    // Another process writes it, or there is no room: the file is as good as before.
  }
}

/** The path of a file that is there, made where it is not. */
export function fileOf(place: string): string {
  if (place === ':memory:') return place
  const path = place.startsWith('file://') ? fileURLToPath(place) : place.replace(/^file:/, '')
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_RIGHTS })
  closeSync(openSync(path, 'a', FILE_RIGHTS))
  return path
}
