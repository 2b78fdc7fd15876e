import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import { responseOf } from './body.ts'
import { openTunnel } from './proxy.ts'

export type Fetch = typeof globalThis.fetch

interface Asked {
  readonly url: URL
  readonly options: RequestOptions
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

const MOST_REDIRECTS = 5

/**
 * The `fetch` that the SDKs are given: Node's own client, as its bodies cost half of what web streams do. Of a
 * request it takes what the SDKs send, an address and a text. Redirects are followed where the request stays what
 * it is and its key with its server; others are the answer.
 */
export function nodeFetch(proxy?: string): Fetch {
  const through = proxy === undefined ? undefined : new URL(proxy)
  return async (input, init) => {
    let asked = askedOf(String(input), init)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const tunnel = through && (await openTunnel(through, asked.url, asked.signal))
      const answer = await send(asked, tunnel)
      const next = redirected(asked, answer)
      if (!next) return responseOf(answer)
      answer.destroy()
      asked = next
    }
    throw new Error(`the server redirected more than ${MOST_REDIRECTS} times`)
  }
}

function askedOf(address: string, init: RequestInit = {}): Asked {
  const { method = 'GET', headers, body, signal } = init
  const given = Object.fromEntries(headers instanceof Headers ? headers : new Headers(headers))
  return {
    url: new URL(address),
    options: { method, headers: { 'accept-encoding': 'gzip, deflate, br', ...given } },
    signal: signal ?? undefined,
    // Node refuses what is no text.
    body: (body ?? undefined) as string | undefined,
  }
}

/** Sends a request, on a connection that is kept, or through a tunnel of its own, which ends with it. */
function send(asked: Asked, tunnel?: Socket): Promise<IncomingMessage> {
  const { url, options, body, signal } = asked
  signal?.throwIfAborted()
  const ask = url.protocol === 'https:' ? secureRequest : request
  return new Promise((resolve, reject) => {
    const sent = ask(url, tunnel ? { ...options, ...over(tunnel, url) } : options)
    let answer: IncomingMessage | undefined
    const onAbort = (): void => {
      reject(signal?.reason)
      // Of a whole answer the connection may be the next request's already.
      if (!answer?.complete) sent.destroy()
    }
    signal?.addEventListener('abort', onAbort)
    sent.once('response', (response) => {
      answer = response
      resolve(response)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // A server may close a kept connection at the moment at which it is taken for the next request.
      const isStale = sent.reusedSocket && !answer && error.code === 'ECONNRESET'
      if (isStale && !signal?.aborted) resolve(send(asked))
      else reject(error)
    })
    sent.once('close', () => {
      signal?.removeEventListener('abort', onAbort)
      // Without an error where the server goes on in another protocol.
      reject(new Error('the server ended the connection without an answer'))
    })
    sent.end(body)
  })
}

function over(tunnel: Socket, { protocol, hostname }: URL): RequestOptions {
  return {
    createConnection: () =>
      protocol === 'https:' ? connect({ socket: tunnel, servername: hostname }) : tunnel,
  }
}

/** The same request where it was moved to, on the same server. */
function redirected(asked: Asked, { statusCode = 0, headers }: IncomingMessage): Asked | undefined {
  const { url, options } = asked
  const { location } = headers
  const staysSame = statusCode === 307 || statusCode === 308
  const isRead = options.method === 'GET' && statusCode >= 301 && statusCode <= 303
  if (location === undefined || !(staysSame || isRead)) return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const next = new URL(location, url)
  return next.origin === url.origin ? { ...asked, url: next } : undefined
}
