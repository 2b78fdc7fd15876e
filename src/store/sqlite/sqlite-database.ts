import { setImmediate } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Database from 'libsql'
import {
  assertKept,
  type Row,
  type Snapshot,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from '../sql/index.ts'
import { DatabaseFile } from './database-file.ts'
import { failureOf, patiently } from './locked-file.ts'
import { LogKeeper } from './log-keeper.ts'
import { IN_MEMORY, openConnection } from './opening.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { Reclaiming } from './reclaiming.ts'

/** After this many milliseconds of statements, the event loop gets a turn for other work. */
const LONGEST_STRETCH = 8
/** The length from which on binding a value, or committing a transaction, takes long; in characters or bytes. */
const LONG = 1 << 20
/**
 * The number of pages in the write-ahead log at which a commit copies them to the database file. This is SQLite's
 * default.
 */
const MOST_PAGES_IN_LOG = 1000
/**
 * The most rows that one statement writes. Each number of rows needs its own statement, and a prepared statement takes
 * memory for each of its rows.
 */
const MOST_ROWS = 32
/** The total length of a statement's values from which on they count as large, in bytes or characters. */
const LARGE = 16 * 1024
/**
 * A database on a single connection. The driver is synchronous: each statement runs at once and blocks the event
 * loop. Transactions have to queue only because they may await something between their statements.
 */
export class SqliteDatabase implements SqlDatabase {
  readonly forUpdate = ''
  readonly mostRows = MOST_ROWS
  readonly #connection: Database.Database
  readonly #path: string
  readonly #file: DatabaseFile
  readonly #prepared: PreparedStatements
  #last: Promise<unknown> = Promise.resolve()
  readonly #reclaiming: Reclaiming
  readonly #logKeeper: LogKeeper
  /** When the first statement in this turn of the event loop ran. */
  #turnBegan: number | undefined

  constructor(connection: Database.Database, path: string) {
    this.#connection = connection
    this.#prepared = new PreparedStatements(connection)
    this.#path = path
    this.#file = new DatabaseFile(path)
    this.#logKeeper = new LogKeeper(path)
    this.#reclaiming = new Reclaiming({
      freePages: () => this.#inTurn(async () => this.#freePages()),
      giveBack: (pages) => this.#inTurn(async () => this.#giveBack(pages)),
      checkpoint: () => this.#inTurn(async () => void this.#run('PRAGMA wal_checkpoint', [])),
    })
  }

  /**
   * Writes run in a transaction. A prepared write statement that finds the file locked would stay active, and then
   * no transaction could end.
   */
  query(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return text.startsWith('SELECT') || text.startsWith('WITH')
      ? patiently(() => this.#inTurn(() => this.#ask(text, values)))
      : this.transaction((session) => session.query(text, values))
  }

  /** Only the start of a transaction can find the file locked. While it waits, other work continues. */
  transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    return patiently(() => this.#inTurn(() => this.#transact(act)))
  }

  async #transact<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    this.#file.assertThere()
    this.#execute('BEGIN IMMEDIATE')
    let length = 0
    const query = (text: string, values: readonly SqlValue[] = []) => {
      for (const value of values) length += lengthOf(value)
      return this.#ask(text, values)
    }
    try {
      const result = await act({ mostRows: MOST_ROWS, forUpdate: this.forUpdate, query })
      await this.#breathe(() => (length > LONG ? this.#commitLong() : this.#execute('COMMIT')))
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.#execute('ROLLBACK')
      throw error
    }
  }

  /** Reads on a connection of its own, so that this one can write. A database in memory has only one. */
  async snapshot(): Promise<Snapshot> {
    const own = this.#path === IN_MEMORY ? this : await this.#beside()
    return {
      mostRows: MOST_ROWS,
      forUpdate: this.forUpdate,
      query: (text, values) => own.query(text, values),
      end: async () => {
        if (own !== this) own.#disconnect()
      },
    }
  }

  async #beside(): Promise<SqliteDatabase> {
    this.#file.assertThere()
    const own = new SqliteDatabase(openConnection(this.#path), this.#path)
    try {
      own.#execute('BEGIN')
      // The first statement that reads determines the moment.
      await own.query('SELECT version FROM schema_version')
      return own
    } catch (error) {
      own.#disconnect()
      throw error
    }
  }

  /**
   * Commits without the checkpoint that would copy the log to the database file, since that takes as long again.
   */
  #commitLong(): void {
    this.#execute('PRAGMA wal_autocheckpoint = 0')
    try {
      this.#execute('COMMIT')
    } finally {
      void this.#logKeeper.begin().then(() => {
        this.#execute(`PRAGMA wal_autocheckpoint = ${MOST_PAGES_IN_LOG}`)
      })
    }
  }

  /** Runs a statement. One with a very long value first yields to the event loop. */
  async #ask(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    assertKept(values)
    if (values.some((value) => lengthOf(value) > LONG)) await nextTurn()
    return this.#breathe(() => this.#run(text, values))
  }

  /** Calls a function at once, or after yielding if statements have blocked the event loop for too long. */
  async #breathe<T>(act: () => T): Promise<T> {
    const now = performance.now()
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now
      setImmediate(() => {
        this.#turnBegan = undefined
      })
    }
    if (now - this.#turnBegan > LONGEST_STRETCH) await nextTurn()
    return act()
  }

  reclaim(): void {
    this.#reclaiming.begin()
  }

  compact(): Promise<void> {
    return patiently(() =>
      this.#inTurn(async () => {
        this.#file.assertThere()
        this.#execute('VACUUM')
        this.#run('PRAGMA wal_checkpoint(TRUNCATE)', [])
      }),
    )
  }

  #freePages(): number {
    return Number(this.#run('PRAGMA freelist_count', [])[0]?.['freelist_count'])
  }

  /** Runs unprepared, because a prepared statement would give back a single page only. */
  #giveBack(pages: number): void {
    this.#file.assertThere()
    this.#execute(`PRAGMA incremental_vacuum(${pages})`)
  }

  async close(): Promise<void> {
    await this.#reclaiming.end()
    await this.#inTurn(async () => {
      await this.#logKeeper.settled()
      try {
        this.#execute('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Whatever prevented the checkpoint, the data is safe in the log beside the file.
      }
      this.#disconnect()
    })
  }

  /** The driver closes the file when the last statement of the connection is collected as garbage. */
  #disconnect(): void {
    this.#prepared.clear()
    this.#connection.close()
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    // The caller handles a failure. The queue only waits for the end.
    this.#last = turn.catch(() => undefined)
    return turn
  }

  #execute(text: string): void {
    try {
      this.#connection.exec(text)
    } catch (error) {
      throw failureOf(error)
    }
  }

  #run(text: string, values: readonly SqlValue[]): readonly Row[] {
    try {
      // A prepared statement keeps its last values in memory, so statements with large values are not kept.
      const statement = areLarge(values) ? this.#connection.prepare(text) : this.#prepared.get(text)
      const bound = values.map(boundValue)
      if (statement.reader) return statement.all(bound) as Row[]
      statement.run(bound)
      return []
    } catch (error) {
      throw failureOf(error)
    }
  }
}

function areLarge(values: readonly SqlValue[]): boolean {
  let length = 0
  for (const value of values) length += lengthOf(value)
  return length > LARGE
}

/** Converts bytes to a Buffer. The driver accepts no other type: it ends the process if it gets one. */
function boundValue(value: SqlValue): string | number | Buffer | null {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

function lengthOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}
