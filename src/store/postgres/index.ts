import type { Storage } from '@braidwork/agent'
import type pg from 'pg'
import {
  assertKept,
  isMade,
  type Row,
  type Snapshot,
  type SqlDatabase,
  type SqlSession,
  type SqlTypes,
  type SqlValue,
  sqlStorage,
} from '../sql/index.ts'
import { Connections } from './connections.ts'
import { failureOf, isSilence, SilenceError } from './failures.ts'

/** PostgreSQL allows 65,535 parameters per statement. */
const MOST_ROWS = 500
/**
 * How long the answer to a statement may take, in milliseconds: longer than the time after which the database cancels
 * the statement, so that only a database that does not answer takes it.
 */
const ANSWER_TIMEOUT = 35_000
/** The number of the advisory lock on the schema. It is arbitrary, but must be the same in all processes. */
const SCHEMA_LOCK = 7_262_173

const POSTGRES: SqlTypes = {
  bytes: 'BYTEA',
  integer: 'BIGINT',
  position: 'strpos',
  isPlanned: true,
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  lock: `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
}

interface PostgresOptions {
  /** How long the answer to a statement may take, in milliseconds. The default is 35,000. */
  readonly answerTimeout?: number
}

/**
 * Opens a storage in PostgreSQL and updates its schema.
 * @param address `postgres://user:password@host:port/database`, with `?connection_limit=` for other than 10 connections
 * @throws {HostError} STORAGE_FAILED, STORAGE_NEWER; OPTION_INVALID
 */
export async function postgresStorage(
  address: string,
  { answerTimeout = ANSWER_TIMEOUT }: PostgresOptions = {},
): Promise<Storage> {
  return sqlStorage(new PostgresDatabase(new Connections(address), answerTimeout), POSTGRES)
}

/** Whether a database has the tables of a storage. @throws {HostError} STORAGE_FAILED; OPTION_INVALID */
export async function isMadePostgres(address: string): Promise<boolean> {
  const database = new PostgresDatabase(new Connections(address), ANSWER_TIMEOUT)
  try {
    return await isMade(database, POSTGRES)
  } finally {
    await database.close()
  }
}

class PostgresDatabase implements SqlDatabase {
  readonly forUpdate = ' FOR UPDATE'
  readonly mostRows = MOST_ROWS
  readonly #connections: Connections
  readonly #answerTimeout: number

  constructor(connections: Connections, answerTimeout: number) {
    this.#connections = connections
    this.#answerTimeout = answerTimeout
  }

  async query(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    assertKept(values)
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      return await this.#run(client, text, values)
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  async transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      await this.#run(client, 'BEGIN')
      const result = await act(this.#sessionOf(client))
      await this.#run(client, 'COMMIT')
      return result
    } catch (error) {
      broken = isSilence(error) ? (error as Error) : await this.#rollBack(client)
      throw error
    } finally {
      client.release(broken)
    }
  }

  /** @returns the error after which the connection cannot be used */
  async #rollBack(client: pg.PoolClient): Promise<Error | undefined> {
    try {
      await this.#run(client, 'ROLLBACK')
      return undefined
    } catch (error) {
      return error as Error
    }
  }

  async snapshot(): Promise<Snapshot> {
    const client = await this.#connect()
    try {
      await this.#run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    } catch (error) {
      client.release(true)
      throw error
    }
    const end = async () => {
      const ended = await this.#run(client, 'COMMIT').catch((error: Error) => error)
      client.release(ended instanceof Error ? ended : undefined)
    }
    return { ...this.#sessionOf(client), end }
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#connections.take().catch((error: unknown) => {
      throw failureOf(error)
    })
  }

  #sessionOf(client: pg.PoolClient): SqlSession {
    const query: SqlSession['query'] = (text, values) => this.#run(client, text, values)
    return { mostRows: MOST_ROWS, forUpdate: this.forUpdate, query }
  }

  /** PostgreSQL reclaims space on its own. */
  reclaim(): void {}

  async compact(): Promise<void> {
    const client = await this.#connect()
    try {
      await this.#run(client, 'SET statement_timeout = 0')
      await unlimited(client, 'VACUUM')
    } finally {
      // Do not return the connection to the pool, because its timeout has been changed.
      client.release(true)
    }
  }

  close(): Promise<void> {
    return this.#connections.close()
  }

  async #run(
    client: pg.PoolClient,
    text: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> {
    assertKept(values)
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      const fail = () => reject(failureOf(new SilenceError(this.#answerTimeout)))
      timer = setTimeout(fail, this.#answerTimeout)
    })
    try {
      return await Promise.race([unlimited(client, text, values), silence])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Runs a statement, however long it takes. */
async function unlimited(
  client: pg.PoolClient,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<readonly Row[]> {
  try {
    const { rows } = await client.query<Row>(numbered(text), [...values])
    return rows
  } catch (error) {
    throw failureOf(error)
  }
}

/** Replaces each `?` with PostgreSQL's `$1`, `$2`, … */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}
