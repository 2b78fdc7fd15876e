import type { Storage } from '@braidwork/agent'
import { storageError } from '@braidwork/agent/internal'
import pg from 'pg'
import {
  assertKept,
  type Row,
  type Snapshot,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
  sqlStorage,
} from '../sql/index.ts'

const MOST_CONNECTIONS = 10
/** PostgreSQL allows 65,535 parameters per statement. */
const MOST_ROWS = 500
const CONNECT_TIMEOUT = 5000
/** A statement that takes more milliseconds than this is cancelled. */
const STATEMENT_TIMEOUT = 30_000
/**
 * The SQLSTATE classes whose errors may pass: connections, conflicts, resources, shutdown. They make an error
 * retryable.
 */
const PASSING = /^(?:08|40|53|55|57)/
/** The number of the advisory lock on the schema. It is arbitrary, but must be the same in all processes. */
const SCHEMA_LOCK = 7_262_173
/** The type id of `int8`, an integer of eight bytes. */
const INT8 = 20

/**
 * Opens a storage in PostgreSQL and updates its schema.
 * @param address `postgres://user:password@host:port/database`
 * @throws {HostError} STORAGE_FAILED, STORAGE_NEWER
 */
export function postgresStorage(address: string): Promise<Storage> {
  const pool = new pg.Pool({
    connectionString: address,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    types: { getTypeParser },
  })
  // If an idle connection breaks, the pool replaces it at the next query.
  pool.on('error', () => undefined)
  // A connection may break while no query listens for its errors: during connecting, or between two statements.
  // Without this listener the error would end the process. The next query on the connection fails, and the pool
  // discards it.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return sqlStorage(new PostgresDatabase(pool), {
    bytes: 'BYTEA',
    integer: 'BIGINT',
    position: 'strpos',
    isPlanned: true,
    lock: `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
  })
}

/** Parses `int8` as a number: the counts and times stored here stay below 2^53. */
const getTypeParser = ((type: number, format?: 'text' | 'binary') =>
  type === INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser

class PostgresDatabase implements SqlDatabase {
  readonly forUpdate = ' FOR UPDATE'
  readonly mostRows = MOST_ROWS
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  query(text: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    return run(this.#pool, text, values)
  }

  async transaction<T>(act: (session: SqlSession) => Promise<T>): Promise<T> {
    const client = await this.#connect()
    let broken: Error | undefined
    try {
      await run(client, 'BEGIN', [])
      const result = await act(this.#sessionOf(client))
      await run(client, 'COMMIT', [])
      return result
    } catch (error) {
      await run(client, 'ROLLBACK', []).catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  async snapshot(): Promise<Snapshot> {
    const client = await this.#connect()
    try {
      await run(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', [])
    } catch (error) {
      client.release(true)
      throw error
    }
    const end = async () => {
      const ended = await run(client, 'COMMIT', []).catch((error: Error) => error)
      client.release(ended instanceof Error ? ended : undefined)
    }
    return { ...this.#sessionOf(client), end }
  }

  #connect(): Promise<pg.PoolClient> {
    return this.#pool.connect().catch((error: unknown) => {
      throw failureOf(error)
    })
  }

  #sessionOf(client: pg.PoolClient): SqlSession {
    const query: SqlSession['query'] = (text, values = []) => run(client, text, values)
    return { mostRows: MOST_ROWS, forUpdate: this.forUpdate, query }
  }

  /** PostgreSQL reclaims space on its own. */
  reclaim(): void {}

  async compact(): Promise<void> {
    const client = await this.#connect()
    try {
      await run(client, 'SET statement_timeout = 0', [])
      await run(client, 'VACUUM', [])
    } finally {
      // Do not return the connection to the pool, because its timeout has been changed.
      client.release(true)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

async function run(
  session: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly Row[]> {
  assertKept(values)
  try {
    const { rows } = await session.query<Row>(numbered(text), [...values])
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

function failureOf(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // An error without a SQLSTATE comes from the connection.
  return storageError(error, code.length !== 5 || PASSING.test(code))
}
