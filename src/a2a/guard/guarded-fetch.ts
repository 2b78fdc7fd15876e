import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable, Transform } from 'node:stream'
import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type TargetOptions, targetOf } from './target.ts'

export interface GuardOptions extends TargetOptions {
  /** The address of the agent. Only its origin is asked. */
  readonly base: URL
  /** The token that each request carries. */
  readonly token?: string | undefined
}

/** A request, as far as the guard takes one. */
export interface GuardedInit {
  readonly method?: string | undefined
  readonly headers?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
  /** The most bytes of the response. The default is 64 MiB. */
  readonly most?: number
}

export type GuardedFetch = (input: string | URL | Request, init?: GuardedInit) => Promise<Response>

const MOST_BYTES = 64 << 20

/**
 * Returns a `fetch` that asks one origin alone, at checked addresses, follows no redirect, and reads no more than a limit.
 */
export function guardedFetch({ base, token, ...target }: GuardOptions): GuardedFetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== base.origin) throw foreign(url, base)
    const addresses = await targetOf(url, target)
    init.signal?.throwIfAborted()
    const lookup: LookupFunction = (_name, options, done) => {
      const [first] = addresses
      if (options.all) done(null, [...addresses])
      else done(null, first?.address ?? '', first?.family ?? 4)
    }
    const response = await sent(url, init, { lookup, token })
    const { statusCode: status = 502, headers } = response
    const encoding = headers['content-encoding'] ?? 'identity'
    if ((status >= 300 && status < 400) || encoding !== 'identity') {
      response.destroy()
      throw status < 400 && status >= 300 ? redirects(url) : encoded(url)
    }
    return responseOf(response, init.most ?? MOST_BYTES, url)
  }
}

interface Connection {
  readonly lookup: LookupFunction
  readonly token?: string | undefined
}

function sent(
  url: URL,
  { method = 'GET', headers, body, signal }: GuardedInit,
  { lookup, token }: Connection,
): Promise<IncomingMessage> {
  const own = {
    ...Object.fromEntries(new Headers(headers as ConstructorParameters<typeof Headers>[0])),
    'accept-encoding': 'identity',
    'user-agent': 'braidwork',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options = { method, headers: own, lookup, agent: false, ...(signal ? { signal } : {}) }
    const request = send(url, options)
    request.once('response', resolve)
    request.on('error', (error) => reject(signal?.aborted ? error : unreachable(url, error)))
    request.end(typeof body === 'string' ? body : undefined)
  })
}

function responseOf(message: IncomingMessage, most: number, url: URL): Response {
  const { statusCode: status = 502, headers } = message
  let size = 0
  const limited = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length
      if (size > most) done(tooLarge(url, most))
      else done(null, chunk)
    },
  })
  message.on('error', (error) => limited.destroy(error))
  limited.on('close', () => message.destroy())
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const isEmpty = status === 204 || status === 205
  if (isEmpty) message.destroy()
  const stream = isEmpty ? null : (Readable.toWeb(message.pipe(limited)) as ReadableStream)
  return new Response(stream, { status, headers: known })
}

function failed(url: URL, what: string, cause?: unknown): HostError {
  return new HostError('REMOTE_AGENT_FAILED', `"${url.host}" ${what}.`, { cause })
}

function foreign(url: URL, { host }: URL): HostError {
  return failed(url, `is another host than "${host}", which the endpoint has, so it is not asked`)
}

function redirects(url: URL): HostError {
  return failed(url, 'redirects, which is not followed; put the final address into the endpoint')
}

function encoded(url: URL): HostError {
  return failed(url, 'sent a compressed answer, which was not asked for')
}

function tooLarge(url: URL, most: number): HostError {
  return failed(url, `sent more than ${most} bytes`)
}

function unreachable(url: URL, error: Error & { readonly code?: string }): HostError {
  return failed(url, `could not be reached (${error.code ?? messageOf(error)})`, error)
}
