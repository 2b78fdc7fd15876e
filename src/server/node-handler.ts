import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { setIncoming } from './body-pieces.ts'
import { EventBody } from './event-body.ts'
import type { BraidworkServer } from './server.ts'
import { gather } from './text-writer.ts'

/** Answers a request of Node's HTTP server, and of frameworks that hand on its objects, such as Express. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Methods of requests without a body. */
const BODILESS = new Set(['GET', 'HEAD'])

/**
 * Makes a handler for Node's HTTP server of a server, or of any function that answers a `Request`. The body of the
 * request must not have been read: mount the handler before body parsers.
 */
export function toNodeHandler({ fetch }: Pick<BraidworkServer, 'fetch'>): NodeHandler {
  const serve = getRequestListener(
    (request, { incoming, outgoing }) => {
      if (!BODILESS.has(request.method)) setIncoming(request, incoming as IncomingMessage)
      return answer(fetch, request, outgoing as ServerResponse)
    },
    { overrideGlobalObjects: false },
  )
  return (incoming, outgoing) => void serve(incoming, outgoing)
}

/**
 * Answers a request. Returns a response for the listener to write, except for an event stream, which is written
 * here without a web stream.
 */
async function answer(
  fetch: BraidworkServer['fetch'],
  request: Request,
  client: ServerResponse,
): Promise<Response> {
  const response = await fetch(request)
  const body = EventBody.of(response)
  if (!body) return response
  gather(client.socket)
  client.writeHead(response.status, headersOf(response))
  client.flushHeaders()
  await body.writeTo(client)
  return RESPONSE_ALREADY_SENT
}

/** Each cookie is a header of its own. RFC 9110, section 5.3 */
function headersOf({ headers }: Response): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie()
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
  }
}
