import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate } from 'node:timers'
import {
  assertKinds,
  DURATION,
  type Kind,
  objectOf,
  POSITIVE,
  TEXT,
  unknownOption,
} from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { toNodeHandler } from './node-handler.ts'
import { orAfter } from './or-after.ts'
import type { BraidworkServer } from './server.ts'

/** How long a client may take to send its headers, and its whole request, in milliseconds. */
const TIMEOUTS = { headers: 10_000, request: 60_000 }
/** How often to check for clients that took too long, in milliseconds. */
const LOOK = 1000
/**
 * How long an idle connection is kept open, in milliseconds. It is longer than the idle time of load balancers (60 s by
 * default in nginx and in those of AWS), which would otherwise send a request to a connection that has just closed.
 */
const KEEP_ALIVE_TIMEOUT = 75_000
/** The maximum size of a request's headers in bytes. */
const MOST_HEADERS = 32 << 10

export interface ListenOptions {
  /** 0 selects any free port. */
  readonly port: number
  /** The default is loopback only. */
  readonly hostname?: string | undefined
  /** How long responses may continue after the server starts to stop, in milliseconds. The default is 5,000. */
  readonly grace?: number | undefined
  /**
   * How long a client may take to send its headers (default 10,000) and its whole request (default 60,000), in
   * milliseconds.
   */
  readonly timeouts?: { readonly headers: number; readonly request: number } | undefined
}

const KINDS: { readonly [K in Exclude<keyof ListenOptions, 'port'>]-?: Kind } = {
  hostname: TEXT,
  grace: DURATION,
  timeouts: objectOf({ headers: POSITIVE, request: POSITIVE }),
}
const OPTIONS: readonly string[] = ['port', ...Object.keys(KINDS)]

export interface Listening {
  /** For example `http://127.0.0.1:8787`. */
  readonly url: string
  /** Accepts no more requests, waits for running responses up to the grace time, and closes all connections. */
  close(): Promise<void>
}

const GRACE = 5000

/**
 * Serves a server over HTTP.
 * @throws {HostError} OPTION_INVALID for an unknown option, and if the address is invalid or in use
 */
export async function listen(server: BraidworkServer, options: ListenOptions): Promise<Listening> {
  assertOptions(options)
  const { port, hostname = '127.0.0.1', grace = GRACE, timeouts = TIMEOUTS } = options
  const http = createHttpServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      // Node's default is 30 seconds, and a timeout would take effect that much late.
      connectionsCheckingInterval: Math.min(LOOK, timeouts.headers),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      maxHeaderSize: MOST_HEADERS,
    },
    toNodeHandler(server),
  )
  http.on('connection', (socket: Socket) => socket.setNoDelay(true))
  const closeIdle = idleCloser(http)
  http.listen(port, hostname)
  try {
    await once(http, 'listening')
  } catch (error) {
    throw cannotListen(`${hostname}:${port}`, error)
  }
  return { url: urlOf(http), close: () => closeServer(http, server, { grace, closeIdle }) }
}

/** A program in JavaScript may leave the options out. */
function assertOptions(options: ListenOptions | undefined): void {
  assertPort(options?.port)
  const unknown = Object.keys(options ?? {}).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw unknownOption('listen', `/${unknown}`, OPTIONS)
  assertKinds('listen', options ?? {}, KINDS)
}

function assertPort(port: unknown): void {
  if (Number.isInteger(port) && Number(port) >= 0 && Number(port) <= 65_535) return
  const message = '"port" must be a whole number from 0 to 65535; 0 takes any that is free.'
  throw new HostError('OPTION_INVALID', message, { pointer: '/port' })
}

function cannotListen(place: string, error: unknown): HostError {
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  const remedy = isTaken ? '. Another program listens there: end it, or choose another port' : ''
  return new HostError('OPTION_INVALID', `Cannot listen on ${place}: ${messageOf(error)}${remedy}.`)
}

/**
 * Returns a function that closes all idle connections, and makes every other connection close when its response
 * ends. Node itself neither counts a connection as idle before its first request, nor closes one that becomes idle
 * later.
 */
function idleCloser(http: Server): () => void {
  const unused = new Set<Socket>()
  http.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  http.on('request', ({ socket }, response) => {
    unused.delete(socket)
    response.once('close', () => {
      if (!http.listening) setImmediate(() => http.closeIdleConnections())
    })
  })
  return () => {
    http.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }
}

function urlOf(http: Server): string {
  const { address, port, family } = http.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

interface Closing {
  readonly grace: number
  readonly closeIdle: () => void
}

async function closeServer(
  http: Server,
  server: BraidworkServer,
  { grace, closeIdle }: Closing,
): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  closeIdle()
  try {
    // Do not wait longer for work that does not stop when told to, such as a hanging tool.
    await orAfter(Promise.all([server.close(), closed]), grace, undefined)
  } finally {
    http.closeAllConnections()
    await closed
  }
}
