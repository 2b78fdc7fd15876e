import { Socket } from 'node:net'
import { HostError } from '@braidwork/plugin'
import pg from 'pg'
import { isShort } from './failures.ts'

/** The parameter of an address that sets how many connections a process opens, and its default. */
const LIMIT = 'connection_limit'
const MOST_CONNECTIONS = 10
const CONNECT_TIMEOUT = 5000
/** A statement that takes more milliseconds than this is cancelled by the database. */
const STATEMENT_TIMEOUT = 30_000
/** How long a connection may be idle before the system asks whether its other side is still there, in milliseconds. */
const KEEP_ALIVE_AFTER = 10_000
/** How long no further connections are opened after the database refused one, in milliseconds. */
const NARROW_TIME = 10_000
/** How long connections may take to close, in milliseconds. */
const CLOSE_TIMEOUT = 1000
/** The type id of `int8`, an integer of eight bytes. */
const INT8 = 20

/** The connections of a process to a database. */
export class Connections {
  readonly #pool: pg.Pool
  readonly #most: number
  readonly #open = new Set<pg.PoolClient>()
  readonly #sockets = new Set<Socket>()
  #narrowUntil = 0

  /** @throws {HostError} OPTION_INVALID */
  constructor(address: string) {
    this.#most = mostOf(address)
    this.#pool = new pg.Pool({
      connectionString: address,
      max: this.#most,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
      types: { getTypeParser },
      stream: () => this.#socket(),
    })
    // If an idle connection breaks, the pool replaces it at the next query.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => {
      this.#open.add(client)
      // A connection may break while no query listens for its errors: during connecting, or between two statements.
      // Without this listener the error would end the process. The next query on the connection fails, and the pool
      // discards it.
      client.on('error', () => undefined)
    })
    this.#pool.on('remove', (client) => this.#open.delete(client))
  }

  /**
   * Takes a connection, which the caller releases. Where the database allows no more of them, waits for one of those
   * that are open.
   */
  async take(): Promise<pg.PoolClient> {
    if (performance.now() >= this.#narrowUntil) this.#pool.options.max = this.#most
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (!isShort(error) || this.#open.size === 0) throw error
      this.#pool.options.max = this.#open.size
      this.#narrowUntil = performance.now() + NARROW_TIME
      return this.#pool.connect()
    }
  }

  /** A database that does not answer does not hold this up. */
  async close(): Promise<void> {
    const destroying = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, CLOSE_TIMEOUT)
    try {
      await this.#pool.end()
    } finally {
      clearTimeout(destroying)
    }
  }

  #socket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }
}

/** @throws {HostError} OPTION_INVALID */
function mostOf(address: string): number {
  const given = new URL(address).searchParams.get(LIMIT)
  if (given === null) return MOST_CONNECTIONS
  const most = Number(given)
  if (Number.isInteger(most) && most >= 1) return most
  const message = `"${LIMIT}" in the storage address must be a whole number from 1.`
  throw new HostError('OPTION_INVALID', message)
}

/** Parses `int8` as a number: the counts and times stored here stay below 2^53. */
const getTypeParser = ((type: number, format?: 'text' | 'binary') =>
  type === INT8 && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser
