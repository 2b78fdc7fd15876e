import { setTimeout as pause } from 'node:timers/promises'
import { keyMissing, NoAnswer, retryAfterIn } from '../errors.ts'
import { parseJson } from '../json.ts'
import { writtenBody } from '../written-body.ts'
import { type Access, type Endpoint, endpointOf } from './access.ts'
import type { Client } from './client.ts'
import { isUnanswered } from './refusal.ts'

/** How an API takes its key. */
export interface KeyRules {
  /** Whether requests to the API's own address need a key; by default they do. */
  readonly needsKey?: boolean
  /** The headers that carry the key; by default `Authorization: Bearer …`. */
  readonly keyHeaders?: (key: string) => Headers
}

interface Headers {
  readonly [name: string]: string
}

type Sending = Parameters<Client['post']>[1]

/** An answer with an error status. */
class ErrorStatus extends Error {
  readonly status: number
  readonly headers: Response['headers']
  /** Its body: the parsed JSON, or the text. */
  readonly error: unknown

  constructor({ status, headers }: Response, text: string) {
    super(`${status} ${text}`)
    this.status = status
    this.headers = headers
    this.error = jsonIn(text)
  }
}

/**
 * A client for an API without an SDK. It adds the key, repeats requests that failed with a retryable status or on the
 * way (`max_retries`, after the delay that the API asks for or half a second, doubled each time), and waits `timeout`
 * for headers.
 * @throws {HostError} PROVIDER_UNAUTHORIZED if the API needs a key and none is set; SETTINGS_INVALID
 */
export function httpClient(
  access: Access,
  { needsKey = true, keyHeaders = (key) => ({ authorization: `Bearer ${key}` }) }: KeyRules = {},
): Client {
  const endpoint = endpointOf(access)
  const { api_key: key } = access.settings
  if (!key && needsKey && endpoint.baseURL === access.profile.baseUrl)
    throw keyMissing(access.profile)
  const own = { ...(key ? keyHeaders(key) : {}), ...endpoint.headers }
  const send = (method: string) => (path: string, sending: Sending) => ({
    asResponse: () => new Repeated(endpoint, { method, path, own, sending }).run(),
  })
  return { post: send('POST'), get: send('GET') }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly own: Headers
  readonly sending: Sending
}

/** Milliseconds before the first repetition, if the API says nothing, and the most. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 8000

/** A request that is repeated while it fails in a way that may pass. */
class Repeated {
  readonly #endpoint: Endpoint
  readonly #asked: Asked
  #retries = 0

  constructor(endpoint: Endpoint, asked: Asked) {
    this.#endpoint = endpoint
    this.#asked = asked
  }

  async run(): Promise<Response> {
    for (;;) {
      const answered = await this.#once().catch((error: unknown) => this.#lost(error))
      if (answered?.ok) return answered
      const wait = answered && (await this.#refused(answered))
      await this.#pause(wait)
      this.#retries++
    }
  }

  /** Sends the request once. It ends when headers have not arrived in time; the caller's signal ends its body too. */
  async #once(): Promise<Response> {
    const { method, path, own, sending } = this.#asked
    const { signal, timeout, body, fetchOptions } = sending
    if (signal.aborted) throw new NoAnswer('cancelled')
    const ending = new AbortController()
    const onAbort = () => ending.abort(signal.reason)
    const clock = setTimeout(() => ending.abort(new NoAnswer('timeout')), timeout)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const options = { ...fetchOptions, retries: this.#retries }
      const init = { method, headers: this.#headers(own), signal: ending.signal, ...options }
      const sent = body === undefined ? init : { ...init, body: await writtenBody(body) }
      const answered = await this.#endpoint.fetch(`${this.#endpoint.baseURL}${path}`, sent)
      if (isUnanswered(answered)) throw ending.signal.reason
      return answered
    } catch (error) {
      signal.removeEventListener('abort', onAbort)
      throw ending.signal.reason instanceof NoAnswer ? ending.signal.reason : error
    } finally {
      clearTimeout(clock)
    }
  }

  #headers(own: Headers): Headers {
    const { headers = {}, body } = this.#asked.sending
    return {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...own,
      ...headers,
    }
  }

  /** A request without an answer: repeated, unless it was cancelled or took too long. */
  #lost(error: unknown): undefined {
    const { signal } = this.#asked.sending
    if (signal.aborted) throw new NoAnswer('cancelled')
    if (error instanceof NoAnswer || this.#retries >= this.#endpoint.maxRetries) throw error
    return undefined
  }

  /** @returns the delay in milliseconds that the API asks for @throws the error status, if it is final */
  async #refused(response: Response): Promise<number | undefined> {
    const text = await response.text()
    const mayPass = isRetryable(response) && this.#retries < this.#endpoint.maxRetries
    if (!mayPass) throw new ErrorStatus(response, text)
    const seconds = retryAfterIn(response.headers)
    return seconds === undefined ? undefined : seconds * 1000
  }

  async #pause(wait = Math.min(FIRST_PAUSE * 2 ** this.#retries, LONGEST_PAUSE)): Promise<void> {
    const { signal } = this.#asked.sending
    await pause(wait, undefined, { signal }).catch(() => {
      throw new NoAnswer('cancelled')
    })
  }
}

/** Statuses that may pass: a conflict, a timeout, too many requests, an error of the server. */
function isRetryable({ status, headers }: Response): boolean {
  const said = headers.get('x-should-retry')
  if (said === 'true' || said === 'false') return said === 'true'
  return status === 408 || status === 409 || status === 429 || status >= 500
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
