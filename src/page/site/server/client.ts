import { offline, ServerError, unknownAnswer } from './errors.ts'

/** A request to the server. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly json?: unknown
  /** Sent as it is. */
  readonly body?: Blob
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal
  /** The fields that an answer in JSON must have as lists. */
  readonly lists?: readonly string[]
}

/** What the server answers, and the tag of this version of it, which an older server does not send. */
export interface Tagged<T> {
  readonly value: T
  readonly etag: string | undefined
}

/** Sends requests to the server of the page, with the token of the person who is signed in. */
export class Client {
  readonly #base: URL
  readonly #token: () => string | undefined
  readonly #onUnauthorized: () => void

  /**
   * @param base the address of the page, which ends with a slash
   * @param token the token that is sent, if any
   * @param onUnauthorized is called when the server answers 401, because it does not know who asks
   */
  constructor(base: URL, token: () => string | undefined, onUnauthorized: () => void) {
    this.#base = base
    this.#token = token
    this.#onUnauthorized = onUnauthorized
  }

  /** @returns the JSON that the server answers, undefined for an empty answer. @throws {ServerError} */
  async json<T>(path: string, ask: Ask = {}): Promise<T> {
    return this.#read(await this.send(path, ask), ask)
  }

  /** @returns the JSON that the server answers, and its ETag. @throws {ServerError} */
  async tagged<T>(path: string, ask: Ask = {}): Promise<Tagged<T>> {
    const response = await this.send(path, ask)
    // A proxy that compresses an answer makes its tag a weak one, which no condition matches.
    const etag = response.headers.get('etag')?.replace(/^W\//, '')
    return { value: await this.#read(response, ask), etag }
  }

  async #read<T>(response: Response, ask: Ask): Promise<T> {
    if (response.status === 204) return undefined as T
    const answer: unknown = await response.json().catch((thrown: unknown) => {
      if (ask.signal?.aborted) throw thrown
      throw unknownAnswer(response)
    })
    const fields = Object(answer) as { readonly [name: string]: unknown }
    if (ask.lists?.some((name) => !Array.isArray(fields[name]))) throw unknownAnswer(response)
    return answer as T
  }

  /** @returns a response with server-sent events, or an empty one. @throws {ServerError} */
  async stream(path: string, ask: Ask = {}): Promise<Response> {
    const response = await this.send(path, ask)
    const type = response.headers.get('content-type') ?? ''
    if (response.status === 204 || type.startsWith('text/event-stream')) return response
    await response.body?.cancel()
    throw unknownAnswer(response)
  }

  /** @returns a response whose status says success. @throws {ServerError} */
  async send(path: string, ask: Ask = {}): Promise<Response> {
    const { method = 'GET', json, body, signal } = ask
    const headers = new Headers(ask.headers)
    const token = this.#token()
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    if (json !== undefined) headers.set('content-type', 'application/json')
    const init: RequestInit = { method, headers, cache: 'no-store' }
    if (json !== undefined) init.body = JSON.stringify(json)
    if (body !== undefined) init.body = body
    // A browser sends no type of a file whose ending it does not know, and the server wants one.
    if (body?.type === '') headers.set('content-type', 'application/octet-stream')
    if (signal !== undefined) init.signal = signal
    const response = await fetch(new URL(path, this.#base), init).catch((thrown: unknown) => {
      if (signal?.aborted) throw thrown
      throw offline(thrown)
    })
    if (response.status === 401) this.#onUnauthorized()
    if (!response.ok) throw await ServerError.of(response)
    return response
  }
}
