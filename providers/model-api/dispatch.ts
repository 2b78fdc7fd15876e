import type { IncomingHttpHeaders } from 'node:http'
import { type Body, type Piece, PieceQueue } from './body.ts'
import type { Answer } from './response.ts'

/** A request as it goes out. */
export interface Asked {
  readonly url: URL
  readonly method: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | undefined
  readonly signal: AbortSignal | undefined
}

/** Version 1 of the interface between dispatchers of undici, as far as it is needed here. */
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
 * What Node's `fetch` sends with, or what the application has put in its place (undici's `setGlobalDispatcher`);
 * nothing on runtimes without one. Every undici of a process keeps it under this symbol, whatever its own version,
 * Node's as well (https://github.com/nodejs/undici/blob/main/lib/global.js).
 */
export function globalDispatcher(): Dispatcher | undefined {
  // Node has none before its client is loaded, which a look at one of its classes does.
  void globalThis.Headers
  return Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
}

/** Sends a request without what `fetch` adds to it, most of which is streams of the web. */
export function dispatch(dispatcher: Dispatcher, asked: Asked): Promise<Answer> {
  const { url, method, headers, body, signal } = asked
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const { origin, pathname, search } = url
    // How long a server may be silent is the host's to say, and the SDK's.
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
 * Whether a connection was lost that had carried other requests before: a server may close a kept one at the
 * moment at which it is taken for the next. Told by what was written to it in all its life.
 */
function isStale(error: Error, asked: Asked): boolean {
  const { code, socket } = error as { code?: unknown; socket?: { bytesWritten?: number } | null }
  return code === 'UND_ERR_SOCKET' && (socket?.bytesWritten ?? 0) > mostBytesOf(asked)
}

/** The lines that the client adds to a request, at most: its first, `connection`, `content-length`. */
const OWN_LINES = 80

function mostBytesOf({ method, url, headers, body = '' }: Asked): number {
  const lines = [method, url.pathname, url.search, `host: ${url.host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  return Buffer.byteLength(lines.join('\r\n')) + OWN_LINES + Buffer.byteLength(body)
}

/** One of them is called, once. */
interface Asker {
  onAnswer(answer: Answer): void
  /** There are no headers, and will be none. */
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
    if (this.#isLeft) abort(new Error('the request was left'))
  }

  onHeaders(status: number, headers: readonly Buffer[], resume: () => void): boolean {
    // Others say that the answer is yet to come.
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
    if (!this.#queue.isOver) this.#leave(new Error('the body was let go of'))
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason
    const error = reason instanceof Error ? reason : new Error(String(reason))
    this.#leave(error)
  }

  /** Closes the connection, once there is one. */
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

/** Names and values by turns. */
function headersOf(raw: readonly Buffer[]): IncomingHttpHeaders {
  const headers: Record<string, string> = Object.create(null)
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase()
    const value = (raw[at + 1] as Buffer).toString('latin1')
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}
