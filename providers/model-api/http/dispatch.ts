import type { IncomingHttpHeaders } from 'node:http'
import { type Body, type Piece, PieceQueue } from '../body/body.ts'
import type { Answer } from '../body/response.ts'
import { isError } from '../causes.ts'

/** A request to send. */
export interface Asked {
  readonly url: URL
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | undefined
  readonly signal: AbortSignal | undefined
}

/** Version 1 of undici's dispatcher interface, reduced to the members that are used here. */
export interface Dispatcher {
  dispatch(request: object, handler: Handler): boolean
}

interface Handler {
  onConnect(abort: (reason: Error) => void): void
  onHeaders(status: number, headers: readonly Buffer[], resume: () => void): boolean
  onData(piece: Uint8Array): boolean
  onComplete(): void
  onError(error: Error): void
}

/**
 * The dispatcher that Node's `fetch` uses, or the one that the application set with undici's `setGlobalDispatcher`;
 * `undefined` as long as nothing in the process has loaded a copy of undici. All copies, Node's built-in one included,
 * share it under this symbol (https://github.com/nodejs/undici/blob/main/lib/global.js).
 */
export function globalDispatcher(): Dispatcher | undefined {
  return Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
}

/** Makes Node load `fetch`, which then sets the dispatcher. It takes about 15 ms. */
export function loadFetch(): void {
  void globalThis.Headers
}

/** Sends a request directly, without the overhead of `fetch`, which is mostly web streams. */
export function dispatch(dispatcher: Dispatcher, asked: Asked): Promise<Answer> {
  const { url, method, headers, body, signal } = asked
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const { origin, pathname, search } = url
    // No timeouts here: the host and the SDK have their own.
    const limits = { headersTimeout: 0, bodyTimeout: 0 }
    const request = { origin, path: pathname + search, method, headers, body, ...limits }
    const onFailure = (error: Error): void => {
      if (isStale(error, asked) && !signal?.aborted) resolve(dispatch(dispatcher, asked))
      else reject(error)
    }
    dispatcher.dispatch(request, new AnswerHandler({ onAnswer: resolve, onFailure }, signal))
  })
}

/**
 * Whether the error comes from a reused connection that the server closed just when the request was sent. The number
 * of bytes written over the connection's life shows whether it carried earlier requests.
 */
function isStale(error: Error, asked: Asked): boolean {
  const { code, socket } = error as { code?: unknown; socket?: { bytesWritten?: number } | null }
  return code === 'UND_ERR_SOCKET' && (socket?.bytesWritten ?? 0) > mostBytesOf(asked)
}

/** Upper bound in bytes for lines that the client adds itself: request line, `connection`, `content-length`. */
const OWN_LINES = 80

function mostBytesOf({ method, url, headers, body = '' }: Asked): number {
  const lines = [method, url.pathname, url.search, `host: ${url.host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return Buffer.byteLength(lines.join('\r\n')) + OWN_LINES + Buffer.byteLength(body)
}

/** Receives the outcome. Exactly one of the callbacks is called, once. */
interface Asker {
  onAnswer(answer: Answer): void
  /** Called when the request fails before its headers arrive. */
  onFailure(error: Error): void
}

class AnswerHandler implements Handler, Body {
  #asker: Asker | undefined
  readonly #signal: AbortSignal | undefined
  readonly #queue = new PieceQueue(() => this.#resume())
  #resume: () => void = () => undefined
  #abort: ((reason: Error) => void) | undefined
  #isLeft = false

  constructor(asker: Asker, signal: AbortSignal | undefined) {
    this.#asker = asker
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort)
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort
    if (this.#isLeft) abort(new Error('the request was cancelled'))
  }

  onHeaders(status: number, headers: readonly Buffer[], resume: () => void): boolean {
    // 1xx responses are informational; the final response follows.
    if (status < 200) return true
    this.#resume = resume
    this.#asker?.onAnswer({ status, headers: headersOf(headers), body: this })
    this.#asker = undefined
    return true
  }

  onData(piece: Uint8Array): boolean {
    return this.#queue.push(piece)
  }

  onComplete(): void {
    this.#end()
  }

  onError(error: Error): void {
    this.#end(error)
  }

  read(): Promise<Piece> {
    return this.#queue.read()
  }

  close(): void {
    if (!this.#queue.isOver) this.#leave(new Error('the body was closed'))
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason
    const error = isError(reason) ? reason : new Error(String(reason))
    this.#leave(error)
  }

  /** Aborts the request, as soon as there is a connection. */
  #leave(error: Error): void {
    this.#isLeft = true
    this.#end(error)
    this.#abort?.(error)
  }

  #end(failure?: Error): void {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#queue.end(failure)
    if (failure) this.#asker?.onFailure(failure)
    this.#asker = undefined
  }
}

/** Converts undici's flat list of alternating names and values. */
function headersOf(raw: readonly Buffer[]): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase()
    const value = (raw[at + 1] as Buffer).toString('latin1')
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}
