import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable, Transform } from 'node:stream'
import { HostError } from '@braidwork/plugin'
import {
  checkTarget,
  GuardError,
  type Resolve,
  requestTo,
  responseOf,
  type Target,
} from '@braidwork/request-guard'

export interface GuardOptions {
  /** Whether addresses that are not on the public internet are allowed. */
  readonly allowPrivate: boolean
  /** Resolves host names. The default asks the system. */
  readonly resolve?: Resolve
  /** The address of the agent. Only its origin is asked. */
  readonly base: URL
  /** The token that each request carries. */
  readonly token?: string | undefined
  /** Called with each response, and without a status where none came. */
  readonly onReply?: (status?: number) => void
  /** Called when a request has left the process, with its connection. */
  readonly onSent?: (socket: Socket | null) => void
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
export function guardedFetch(options: GuardOptions): GuardedFetch {
  const { base } = options
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin !== base.origin) throw foreign(url, base)
    const response = await replied(url, init, options)
    const { statusCode: status = 502, headers } = response
    const isRedirect = status >= 300 && status < 400
    const isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
    if (!isRedirect && !isEncoded) return limitedResponse(response, init.most ?? MOST_BYTES, url)
    response.destroy()
    throw isRedirect ? redirects(url) : encoded(url)
  }
}

async function replied(
  url: URL,
  init: GuardedInit,
  options: GuardOptions,
): Promise<IncomingMessage> {
  const { onReply } = options
  try {
    const response = await sent(await targetOf(url, options, init.signal), init, options)
    onReply?.(response.statusCode)
    return response
  } catch (error) {
    if (!init.signal?.aborted) onReply?.()
    throw error
  }
}

async function targetOf(
  { href }: URL,
  { allowPrivate, resolve }: GuardOptions,
  signal: GuardedInit['signal'],
): Promise<Target> {
  const allowed = { allow_loopback: allowPrivate, allow_private: allowPrivate }
  try {
    return await checkTarget(href, allowed, signal ?? new AbortController().signal, resolve)
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    const advice = ' If its agent is meant, set "allow_private" in the options of the endpoint.'
    throw new HostError('REMOTE_AGENT_FAILED', `${error.message}${allowPrivate ? '' : advice}`)
  }
}

async function sent(
  target: Target,
  { method = 'GET', headers, body, signal }: GuardedInit,
  { token, onSent }: GuardOptions,
): Promise<IncomingMessage> {
  const own = {
    ...Object.fromEntries(new Headers(headers as ConstructorParameters<typeof Headers>[0])),
    'accept-encoding': 'identity',
    'user-agent': 'braidwork',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const connection = { method, headers: own, agent: false, ...(signal ? { signal } : {}) }
  const request = requestTo(target, connection)
  const response = responseOf(request, target, signal)
  request.once('finish', () => onSent?.(request.socket))
  request.end(typeof body === 'string' ? body : undefined)
  try {
    return await response
  } catch (error) {
    if (!(error instanceof GuardError)) throw error
    throw new HostError('REMOTE_AGENT_FAILED', error.message, { cause: error.cause })
  }
}

function limitedResponse(message: IncomingMessage, most: number, url: URL): Response {
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

function failed(url: URL, what: string): HostError {
  return new HostError('REMOTE_AGENT_FAILED', `"${url.host}" ${what}.`)
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
