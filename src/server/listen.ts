import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { HostError, messageOf } from '../errors.ts'
import type { BraidworkServer } from './server.ts'

/** Milliseconds in which a client must have sent its headers, and its whole request. */
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 60_000
/** Milliseconds that an idle connection is kept. */
const KEEP_ALIVE_TIMEOUT = 5000
/** Bytes of headers that are read. */
const MOST_HEADERS = 32 << 10

export interface ListenOptions {
  /** 0 for any that is free. */
  readonly port: number
  /** By default loopback alone. */
  readonly hostname?: string
  /** Milliseconds that answers may still take when the server stops; 5,000. */
  readonly grace?: number
}

export interface Listening {
  /** As `http://127.0.0.1:8787`. */
  readonly url: string
  /** Takes no more requests, lets answers end, then closes what is left. */
  close(): Promise<void>
}

const GRACE = 5000

/**
 * Serves over HTTP.
 * @throws {HostError} OPTION_INVALID where the address is taken, or is none
 */
export async function listen(
  server: BraidworkServer,
  { port, hostname = '127.0.0.1', grace = GRACE }: ListenOptions,
): Promise<Listening> {
  const http = createHttpServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      maxHeaderSize: MOST_HEADERS,
    },
    getRequestListener(server.fetch, { overrideGlobalObjects: false }),
  )
  http.on('connection', (socket: Socket) => socket.setNoDelay(true))
  http.listen(port, hostname)
  try {
    await once(http, 'listening')
  } catch (error) {
    throw new HostError(
      'OPTION_INVALID',
      `Cannot listen on ${hostname}:${port}: ${messageOf(error)}`,
    )
  }
  return { url: urlOf(http), close: () => closeServer(http, server, grace) }
}

function urlOf(http: Server): string {
  const { address, port, family } = http.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

async function closeServer(http: Server, server: BraidworkServer, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  await server.close()
  const late = setTimeout(() => http.closeAllConnections(), grace)
  await closed
  clearTimeout(late)
}
