import type { Storage } from '@braidwork/agent'
import { storageError } from '@braidwork/agent/internal'
import pg from 'pg'
import {
  assertKept,
  type Row,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
  sqlStorage,
} from '../sql/index.ts'

const MOST_CONNECTIONS = 10
/** It takes 65,535 parameters. */
const MOST_ROWS = 500
const CONNECT_TIMEOUT = 5000
/** Milliseconds after which a statement counts as hung. */
const STATEMENT_TIMEOUT = 30_000
/** Classes of SQLSTATE after which the same may succeed later: connections, conflicts, resources, shutdown. */
const PASSING = /^(?:08|40|53|55|57)/
/** Any number, as long as it is the same for all. */
const SCHEMA_LOCK = 7_262_173
/** The type of whole numbers of eight bytes. */
const INT8 = 20

/**
 * A storage in PostgreSQL.
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
  // An idle connection that breaks is replaced by the next that is asked for.
  pool.on('error', () => undefined)
  // One may break in the very bytes that say it is ready, or between two statements, when nobody listens and
  // the process would end: what is asked of it next fails, and the pool takes none back that is broken.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return sqlStorage(new PostgresDatabase(pool), {
    bytes: 'BYTEA',
    integer: 'BIGINT',
    position: 'strpos',
    isPlanned: true,
    lock: `SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`,
  })
}

/** Counts and times of ours stay below 2^53. */
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
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw failureOf(error)
    })
    let broken: Error | undefined
    try {
      await run(client, 'BEGIN', [])
      const result = await act({
        mostRows: MOST_ROWS,
        query: (text, values = []) => run(client, text, values),
      })
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

  /** PostgreSQL does so by itself. */
  reclaim(): void {}

  async compact(): Promise<void> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw failureOf(error)
    })
    try {
      await run(client, 'SET statement_timeout = 0', [])
      await run(client, 'VACUUM', [])
    } finally {
      // With its own timeout, it is no use to anyone else.
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

/** `?` as PostgreSQL has it: `$1`, `$2`, … */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

function failureOf(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // Without a SQLSTATE it is the connection that failed.
  return storageError(error, code.length !== 5 || PASSING.test(code))
}
