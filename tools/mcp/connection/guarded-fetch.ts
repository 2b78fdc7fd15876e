import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import {
  type Allowed,
  checkTarget,
  GuardError,
  isLoopback,
  requestTo,
  responseOf,
  type Target,
} from '@braidwork/request-guard'
import type { FetchLike } from '@modelcontextprotocol/client'
import { Problem, TooLarge } from '../problem.ts'
import { limitBody } from './body-limit.ts'

export interface FetchOptions {
  /** The URL of the server in the config. */
  readonly url: string
  /** Whether its host name may lead to a private address. */
  readonly allowPrivate: boolean
  /** The most bytes of a body, and of each event of a stream. */
  readonly maxBytes: number
  /** The most milliseconds until a connection is there. */
  readonly connectMs: number
  /** Receives why a body was cut off. */
  readonly onCut?: (problem: TooLarge) => void
  /** Receives why a request had no response. */
  readonly onFailure?: (problem: Problem) => void
}

/** A `fetch` through the guard of addresses, with connections of its own. */
export interface GuardedFetch {
  readonly fetch: FetchLike
  /** Closes all connections. */
  close(): void
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/**
 * Makes the `fetch` of one server. A private address is allowed only for the server's own origin where the config names
 * it as an address or as `localhost`, or where the config allows private addresses. A server of this machine may also
 * lead to others of this machine. All other URLs, such as those of an authorization server, come from the server and
 * must be public. Redirects are never followed here.
 */
export function guardedFetch(options: FetchOptions): GuardedFetch {
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true }),
  }
  const fetch: FetchLike = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input)
    const signal = init.signal ?? new AbortController().signal
    const target = await targetOf(url, options, signal)
    const agent = target.url.protocol === 'https:' ? agents.https : agents.http
    const response = await send(target, { ...init, signal }, { agent, ...options })
    return asResponse(response, options)
  }
  return {
    fetch: async (input, init) => {
      try {
        return await fetch(input, init)
      } catch (error) {
        if (error instanceof Problem) options.onFailure?.(error)
        throw error
      }
    },
    close: () => {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

async function targetOf(url: string, options: FetchOptions, signal: AbortSignal): Promise<Target> {
  const { origin, hostname } = new URL(options.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isOwn = URL.canParse(url) && new URL(url).origin === origin
  const isNamed = host === 'localhost' || isIP(host) !== 0
  const allowed: Allowed = {
    allow_loopback: host === 'localhost' || isLoopback(host),
    allow_private: options.allowPrivate || (isOwn && isNamed),
  }
  try {
    return await checkTarget(url, allowed, signal)
  } catch (error) {
    if (signal.aborted) throw error
    const advice = isOwn ? ' If it is yours, set "allow_private" of the server.' : ''
    throw new Problem(`${error instanceof Error ? error.message : String(error)}${advice}`)
  }
}

interface Sending extends FetchOptions {
  readonly agent: HttpAgent
}

async function send(
  target: Target,
  { method = 'GET', headers, body, signal }: RequestInit,
  { agent, connectMs }: Sending,
): Promise<IncomingMessage> {
  const given = body === undefined || body === null ? undefined : textOf(body)
  const request = requestTo(target, {
    method,
    headers: { ...plain(headers), 'accept-encoding': 'identity' },
    agent,
    ...(signal ? { signal } : {}),
  })
  const late = setTimeout(() => request.destroy(new Error('no connection')), connectMs)
  request.once('socket', (socket) => {
    // A stream that is only listened to must not keep the process of the host alive.
    socket.unref()
    // A kept connection never connects again, and would keep the listener of each request.
    if (socket.connecting) socket.once('connect', () => clearTimeout(late))
    else clearTimeout(late)
  })
  request.once('close', () => clearTimeout(late))
  const response = responseOf(request, target, signal)
  request.end(given)
  try {
    return await response
  } catch (error) {
    throw error instanceof GuardError ? new Problem(error.message, { cause: error.cause }) : error
  }
}

function plain(headers: RequestInit['headers']): { readonly [name: string]: string } {
  return Object.fromEntries(new Headers(headers).entries())
}

function textOf(body: NonNullable<RequestInit['body']>): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw new Problem('A request to a server must have a text as its body.')
}

function asResponse(
  response: IncomingMessage,
  { maxBytes, onCut }: Pick<FetchOptions, 'maxBytes' | 'onCut'>,
): Response {
  const status = response.statusCode ?? 500
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one)
  const init = { status, statusText: response.statusMessage ?? '', headers }
  if (WITHOUT_BODY.has(status)) {
    response.resume()
    return new Response(null, init)
  }
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') {
    response.destroy()
    throw new Problem(
      `The server sent the content encoding "${encoding.slice(0, 40)}", which it was not asked for.`,
    )
  }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const body = pipeline(response, limitBody(maxBytes, isStream), (error) => {
    if (error instanceof TooLarge) onCut?.(error)
  })
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, init)
}
