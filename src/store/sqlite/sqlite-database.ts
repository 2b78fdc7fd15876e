import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { storageError } from '@braidwork/agent/internal'
import type Database from 'libsql'
import {
  assertKept,
  type Row,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from '../sql/index.ts'
import { DatabaseFile } from './database-file.ts'
import { LogKeeper } from './log-keeper.ts'
import { Reclaiming } from './reclaiming.ts'

/** Milliseconds until what finds the file locked gives up, and between its tries, when all else goes on. */
const PATIENCE = 5000
const PAUSE = 20
/** Milliseconds of statements after which all else in this process has its turn. */
const LONGEST_STRETCH = 8
/** Characters, or bytes, of a value that takes long to be bound, and of a transaction that takes long to end. */
const LONG = 1 << 20
/** Pages of the log from which on a transaction puts them into the file; as SQLite has it by itself. */
const MOST_PAGES_IN_LOG = 1000
/** Statements that are kept prepared. */
const MOST_PREPARED = 200
/** Rows of a statement: each number of them is a statement of its own, and a prepared one takes memory for each row. */
const MOST_ROWS = 32
/** Bytes, or characters, of all the values of a statement from which on they are large. */
const LARGE = 16 * 1024
/** Codes of SQLite after which the same may succeed later. */
const PASSING = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN)/
const BUSY = /^SQLITE_(?:BUSY|LOCKED)/

/**
 * One connection, whose driver does not wait: what it is asked happens at once, so that transactions need
 * to be kept apart only where they wait themselves.
 */
export class SqliteDatabase implements SqlDatabase {
  readonly forUpdate = ''
  readonly mostRows = MOST_ROWS
  readonly #connection: Database.Database
  readonly #file: DatabaseFile
  readonly #prepared = new Map<string, Database.Statement>()
  #last: Promise<unknown> = Promise.resolve()
  readonly #reclaiming: Reclaiming
  readonly #logKeeper: LogKeeper
  /** When the first statement of this turn of the event loop ran. */
  #turnBegan: number | undefined

  constructor(connection: Database.Database, path: string) {
    this.#connection = connection
    this.#file = new DatabaseFile(path)
    this.#logKeeper = new LogKeeper(path)
    this.#reclaiming = new Reclaiming({
      freePages: () => this.#inTurn(async () => this.#freePages()),
      giveBack: (pages) => this.#inTurn(async () => this.#giveBack(pages)),
      checkpoint: () => this.#inTurn(async () => void this.#run('PRAGMA wal_checkpoint', [])),
    })
  }

  /** A prepared statement that found the file locked would stay at work, and no transaction could end. */
  query(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return text.startsWith('SELECT') || text.startsWith('WITH')
      ? patiently(() => this.#inTurn(() => this.#ask(text, values)))
      : this.transaction((session) => session.query(text, values))
  }

  /** Only its beginning finds the file locked; what else is asked meanwhile goes on. */
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
      const result = await act({ mostRows: MOST_ROWS, query })
      await this.#breathe(() => (length > LONG ? this.#commitLong() : this.#execute('COMMIT')))
      return result
    } catch (error) {
      if (this.#connection.inTransaction) this.#execute('ROLLBACK')
      throw error
    }
  }

  /** Without putting the log into the file, which takes as long again. */
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

  /** Runs a statement; what takes long beside others has a turn of the event loop of its own. */
  async #ask(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    assertKept(values)
    if (values.some((value) => lengthOf(value) > LONG)) await nextTurn()
    return this.#breathe(() => this.#run(text, values))
  }

  /** Does something at once, or, where statements have kept all else waiting for long, after that. */
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

  /** A prepared statement would give back one page alone. */
  #giveBack(pages: number): void {
    this.#file.assertThere()
    this.#execute(`PRAGMA incremental_vacuum(${pages})`)
  }

  async close(): Promise<void> {
    await this.#reclaiming.end()
    await this.#inTurn(async () => {
      await this.#logKeeper.settled()
      this.#prepared.clear()
      try {
        this.#run('PRAGMA wal_checkpoint(TRUNCATE)', [])
      } catch {
        // What is not in the file itself yet is in the log beside it, whatever kept it there.
      }
      this.#connection.close()
    })
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act)
    // What became of it is for whoever asked.
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
      // A statement holds on to what it was last given.
      const statement = areLarge(values) ? this.#connection.prepare(text) : this.#statement(text)
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

function areLarge(values: readonly SqlValue[]): boolean {
  let length = 0
  for (const value of values) length += lengthOf(value)
  return length > LARGE
}

/** The driver takes bytes as Buffers alone: it ends the process where it is given others. */
function boundValue(value: SqlValue): string | number | Buffer | null {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value
}

function lengthOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

/** Does again, after a pause, what was not done because another process has the file locked. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isBusy = error instanceof Error && BUSY.test(codeOf(error.cause))
      if (!isBusy || performance.now() > until) throw error
      await wait(PAUSE)
    }
  }
}

export function failureOf(error: unknown): Error {
  return storageError(error, PASSING.test(codeOf(error)))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
