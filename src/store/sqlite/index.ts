import { fileURLToPath } from 'node:url'
import Database from 'libsql'
import type { Storage } from '../../agent/storage/index.ts'
import type { Row, SqlDatabase, SqlSession, SqlValue } from '../sql/database.ts'
import { sqlStorage } from '../sql/index.ts'
import { storageError } from '../storage-error.ts'

/** Milliseconds that a statement waits for another process to end its transaction. */
const BUSY_TIMEOUT = 2000
/** Statements that are kept prepared. */
const MOST_PREPARED = 200
/** Codes of SQLite after which the same may succeed later. */
const PASSING = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN)/

/**
 * A storage in one file of SQLite, for several processes at once.
 * @param place a path, a `file:` address, or `:memory:`
 * @throws {HostError} STORAGE_FAILED, STORAGE_NEWER
 */
export function sqliteStorage(place: string): Promise<Storage> {
  return sqlStorage(open(place.startsWith('file://') ? fileURLToPath(place) : place), {
    bytes: 'BLOB',
    integer: 'INTEGER',
  })
}

function open(path: string): SqlDatabase {
  try {
    const connection = new Database(path)
    // The wait first: changing the journal may have to wait itself.
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = NORMAL')
    connection.pragma('foreign_keys = ON')
    return new SqliteDatabase(connection)
  } catch (error) {
    throw failureOf(error)
  }
}

/**
 * One connection, whose driver does not wait: what it is asked happens at once, so that transactions need
 * to be kept apart only where they wait themselves.
 */
class SqliteDatabase implements SqlDatabase {
  readonly forUpdate = ''
  readonly #connection: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: Database.Database) {
    this.#connection = connection
  }

  query(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return this.#inTurn(async () => this.#run(text, values))
  }

  transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#run('BEGIN IMMEDIATE', [])
      try {
        const result = await act({ query: async (text, values = []) => this.#run(text, values) })
        this.#run('COMMIT', [])
        return result
      } catch (error) {
        if (this.#connection.inTransaction) this.#run('ROLLBACK', [])
        throw error
      }
    })
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#prepared.clear()
      this.#connection.close()
    })
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  #run(text: string, values: readonly SqlValue[]): readonly Row[] {
    try {
      const statement = this.#statement(text)
      const bound = values.map(boundValue)
      if (statement.reader) return statement.all(bound) as Row[]
      statement.run(bound)
      return []
    } catch (error) {
      throw failureOf(error)
    }
  }

  #statement(text: string): Database.Statement {
    const known = this.#prepared.get(text)
    if (known) return known
    const statement = this.#connection.prepare(text)
    const [oldest] = this.#prepared.keys()
    if (this.#prepared.size >= MOST_PREPARED && oldest !== undefined) this.#prepared.delete(oldest)
    this.#prepared.set(text, statement)
    return statement
  }
}

/** The driver takes bytes as Buffers alone: it ends the process where it is given others. */
function boundValue(value: SqlValue): string | number | Buffer | null {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

function failureOf(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return storageError(error, PASSING.test(code))
}
