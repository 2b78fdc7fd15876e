import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { checkTarget, requestTo, responseOf, type Target } from '@braidwork/request-guard'
import { Problem } from './problem.ts'
import type { FetchState } from './settings.ts'

export interface Asked {
  readonly url: string
  readonly method: string
  readonly body?: string
  readonly content_type?: string
}

export interface Answer {
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly bytes: Buffer
  /** Whether the page was cut at the size limit. */
  readonly isCut: boolean
}

const MOST_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Sends a request, follows redirects after checking them, and reads up to the size limit. @throws {Problem, GuardError} */
export async function ask(asked: Asked, state: FetchState, signal: AbortSignal): Promise<Answer> {
  let next = asked
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const target = await checkTarget(next.url, state, signal)
    const response = await open(target, next, signal)
    const status = response.statusCode ?? 0
    const { location } = response.headers
    if (!REDIRECTS.has(status) || location === undefined)
      return read(response, target, state, signal)
    response.destroy()
    next = redirected(next, status, target.url, location)
  }
  throw new Problem(`"${asked.url}" redirects more than ${MOST_REDIRECTS} times.`)
}

function redirected(asked: Asked, status: number, from: URL, location: string): Asked {
  if (!URL.canParse(location, from.href)) throw new Problem('The page redirects to an invalid URL.')
  const url = new URL(location, from).href
  const keepsMethod = status > 303 || asked.method === 'GET' || asked.method === 'HEAD'
  return keepsMethod ? { ...asked, url } : { url, method: 'GET' }
}

function open(target: Target, asked: Asked, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = {
    accept: 'text/html, text/*, application/json, application/xml;q=0.9, */*;q=0.1',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'braidwork-fetch',
    ...(asked.body === undefined ? {} : { 'content-type': asked.content_type ?? 'text/plain' }),
  }
  const request = requestTo(target, { method: asked.method, headers, signal, agent: false })
  const response = responseOf(request, target, signal)
  request.end(asked.body)
  return response
}

async function read(
  response: IncomingMessage,
  { url }: Target,
  state: FetchState,
  signal: AbortSignal,
): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The limit applies to the decompressed size: a small response may be a large page.
    for await (const chunk of unpacked(response) as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, state.max_bytes - size))
      size += chunk.length
      if (size > state.max_bytes) break
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Problem) throw error
    const { code, message } = error as Error & { readonly code?: string }
    throw new Problem(`"${url.host}" could not be reached (${code ?? message}).`)
  } finally {
    response.destroy()
  }
  return {
    url: url.href,
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? 'text/plain',
    bytes: Buffer.concat(chunks),
    isCut: size > state.max_bytes,
  }
}

function unpacked(response: IncomingMessage): Readable {
  const unpackers = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  if (!Object.hasOwn(unpackers, encoding))
    throw new Problem(`The page uses the unsupported content encoding "${encoding.slice(0, 40)}".`)
  const unpacker = unpackers[encoding as keyof typeof unpackers]()
  response.on('error', (error) => unpacker.destroy(error))
  return response.pipe(unpacker)
}
