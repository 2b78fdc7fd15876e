import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { setIncoming } from './body-pieces.ts'
import { EventBody } from './event-body.ts'
import { orAfter } from './or-after.ts'
import type { BraidworkServer } from './server.ts'

/** Milliseconds in which a client must have sent its headers, and its whole request. */
const TIMEOUTS = { headers: 10_000, request: 60_000 }
/** Milliseconds between two looks for clients that did not. */
const LOOK = 1000
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
  /** Milliseconds in which a client must have sent its headers (10,000), and its whole request (60,000). */
  readonly timeouts?: { readonly headers: number; readonly request: number }
}

export interface Listening {
  /** As `http://127.0.0.1:8787`. */
  readonly url: string
  /** Takes no more requests, lets answers end, then closes what is left. */
  close(): Promise<void>
}

const GRACE = 5000
/** Methods of requests that have no body. */
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Serves over HTTP.
 * @throws {HostError} OPTION_INVALID where the address is taken, or is none
 */
export async function listen(
  server: BraidworkServer,
  { port, hostname = '127.0.0.1', grace = GRACE, timeouts = TIMEOUTS }: ListenOptions,
): Promise<Listening> {
  const serve = getRequestListener(
    (request, { incoming, outgoing }) => {
      if (!BODILESS.has(request.method)) setIncoming(request, incoming as IncomingMessage)
      return answer(server, request, outgoing as ServerResponse)
    },
    { overrideGlobalObjects: false },
  )
  const http = createHttpServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      // Node's own is half a minute: so much later than the limit it would come.
      connectionsCheckingInterval: Math.min(LOOK, timeouts.headers),
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      maxHeaderSize: MOST_HEADERS,
    },
    (incoming, outgoing) => void serve(incoming, outgoing),
  )
  http.on('connection', (socket: Socket) => socket.setNoDelay(true))
  const closeIdle = idleCloser(http)
  http.listen(port, hostname)
  try {
    await once(http, 'listening')
  } catch (error) {
    throw new HostError(
      'OPTION_INVALID',
      `Cannot listen on ${hostname}:${port}: ${messageOf(error)}`,
    )
  }
  return { url: urlOf(http), close: () => closeServer(http, server, { grace, closeIdle }) }
}

/**
 * Closes, when it is called, the connections on which nothing is asked, and from then on each whose answer
 * ends. Node counts none as idle before its first request, and leaves those be that become idle later.
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

/** An answer for the listener to write; a stream of events is written here, without a web stream between. */
async function answer(
  server: BraidworkServer,
  request: Request,
  client: ServerResponse,
): Promise<Response> {
  const response = await server.fetch(request)
  const body = EventBody.of(response)
  if (!body) return response
  client.writeHead(response.status, Object.fromEntries(response.headers))
  client.flushHeaders()
  await body.writeTo(client)
  return RESPONSE_ALREADY_SENT
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
    // What does not stop when it is told to, as a tool that hangs, holds nobody up.
    await orAfter(Promise.all([server.close(), closed]), grace, undefined)
  } finally {
    http.closeAllConnections()
    await closed
  }
}
