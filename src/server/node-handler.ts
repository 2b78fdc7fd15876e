import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import {
  ANY_TEXT,
  assertKinds,
  FUNCTION,
  type Kinds,
  refuseMisspelled,
} from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { peeked, setIncoming } from './bodies/index.ts'
import { EventBody } from './event-body.ts'
import type { BraidworkServer } from './server.ts'
import { gather } from './text-writer.ts'

/**
 * Answers a request of Node's servers of HTTP/1 and HTTP/2, and of frameworks that hand on their objects, such as Express.
 * @param next of a framework. Called with the error of a request that failed before its response began, and without one
 * for a path outside of the server's `basePath`
 */
export type NodeHandler = (
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
  next?: Next,
) => void

type Next = (error?: unknown) => void
type Client = Parameters<NodeHandler>[1]

/** Methods of requests without a body. */
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Makes a handler for Node's HTTP server of a server, or of any function that answers a `Request`. The body of the
 * request must not have been read: mount the handler before body parsers. An error of the function goes to `next` of
 * the framework. Without `next` it is a warning of the process, and the client gets 500 without the text of the error.
 * With `basePath`, paths are those that the client sent, also where a framework mounts the handler below a path, and
 * other paths go to `next`.
 * @throws {HostError} OPTION_INVALID for anything without `fetch`, such as the promise of a server, and for a misspelled
 *   or wrong `basePath`
 */
export function toNodeHandler(
  served: Pick<BraidworkServer, 'fetch'> & Partial<Pick<BraidworkServer, 'basePath'>>,
): NodeHandler {
  assertServed(served)
  return (incoming, outgoing, next) => {
    const basePath = basePathOf(served)
    const routed = incoming.url ?? ''
    const url = basePath === undefined ? routed : urlOf(incoming, routed)
    if (next && basePath !== undefined && !isBelow(url, basePath)) return next()
    const serve = getRequestListener(
      (request) => {
        if (!BODILESS.has(request.method)) setIncoming(request, incoming)
        return answer(served.fetch, request, outgoing).catch((error: unknown) =>
          failed(error, outgoing, next),
        )
      },
      { overrideGlobalObjects: false },
    )
    // The listener reads the address at once. Afterwards, the framework needs its own.
    incoming.url = url
    void serve(incoming, outgoing)
    incoming.url = routed
    return undefined
  }
}

const KINDS: Kinds = { fetch: FUNCTION, basePath: ANY_TEXT }

/** An application of another framework may have a method of this name. */
function basePathOf({ basePath }: { readonly basePath?: unknown }): string | undefined {
  return typeof basePath === 'string' ? basePath : undefined
}

/** A function, or the promise of a server, is easily passed in its place. */
function assertServed(served: unknown): void {
  const { fetch, then } = Object(served) as { readonly fetch?: unknown; readonly then?: unknown }
  if (typeof fetch === 'function') {
    if (isObject(served)) assertMembers(served)
    return
  }
  const isPromise = typeof then === 'function'
  const remedy = isPromise
    ? 'Await the promise that it was given.'
    : 'Write toNodeHandler({ fetch }).'
  const message = 'toNodeHandler needs a server, or an object with the function "fetch".'
  throw new HostError('OPTION_INVALID', `${message} ${remedy}`, { pointer: '/fetch' })
}

/** A server has more members than these. @throws {HostError} OPTION_INVALID */
function assertMembers(served: object): void {
  refuseMisspelled('toNodeHandler', served, Object.keys(KINDS))
  assertKinds('toNodeHandler', served, KINDS)
}

/** The address that the client sent. Frameworks cut the path of a mount off `url`, and keep the whole in `originalUrl`. */
function urlOf(incoming: object, routed: string): string {
  const { baseUrl, originalUrl = routed } = incoming as {
    readonly baseUrl?: string
    readonly originalUrl?: string
  }
  // Nothing is cut off here, and the application may have rewritten the address.
  return baseUrl === '' ? routed : originalUrl
}

function isBelow(url: string, basePath: string): boolean {
  const [path = ''] = url.split('?')
  return path === basePath || path.startsWith(`${basePath}/`)
}

/**
 * Answers a request. Returns a response for the listener to write, except for an event stream, which is written
 * here without a web stream.
 * @throws what the function throws, and what its body throws at once
 */
async function answer(
  fetch: BraidworkServer['fetch'],
  request: Request,
  client: Client,
): Promise<Response> {
  const response: unknown = await fetch(request)
  if (!isResponse(response)) throw new TypeError(NO_RESPONSE)
  const body = EventBody.of(response)
  if (!body) return peeked(response, () => client.destroy())
  gather(client.socket)
  client.writeHead(response.status, headersOf(response))
  if ('flushHeaders' in client) client.flushHeaders()
  await body.writeTo(client)
  return RESPONSE_ALREADY_SENT
}

const NO_RESPONSE = 'The function "fetch" of toNodeHandler returned no Response.'

/** A response may be of another class, such as that of another copy of undici. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = Object(value) as Partial<Response>
  return typeof status === 'number' && typeof headers?.getSetCookie === 'function'
}

/** Each cookie is a header of its own. RFC 9110, section 5.3 */
function headersOf({ headers }: Response): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie()
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
  }
}

/** Hands an error on to the framework. Without one, a client that has left needs no answer, and nobody a warning. */
function failed(error: unknown, client: Client, next: Next | undefined): Response {
  if (next) {
    next(error)
    return RESPONSE_ALREADY_SENT
  }
  if (!client.destroyed) {
    const detail =
      error instanceof Error && error.stack !== undefined ? { detail: error.stack } : {}
    const message = `A request to toNodeHandler failed: ${messageOf(error)}`
    process.emitWarning(message, { code: 'REQUEST_FAILED', ...detail })
  }
  return new Response('The server failed to process the request.', {
    status: 500,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
}
