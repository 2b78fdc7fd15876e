import { pairsOf } from './header-pairs.ts'
import type { Noted } from './noted.ts'
import { watched } from './watched-handler.ts'

/** The requests as undici's dispatchers take them, reduced to what is read here. */
interface Dispatched {
  readonly origin?: string | URL
  readonly path: string
  readonly method?: string
  readonly headers?: unknown
  readonly body?: unknown
}

type Method = (...given: unknown[]) => unknown

interface Dispatcher {
  dispatch(request: Dispatched, handler: object): boolean
}

/** All copies of undici, Node's own included, have their dispatcher under this symbol. */
const GLOBAL = Symbol.for('undici.globalDispatcher.1')

/**
 * Notes all requests that go through the dispatcher of Node's `fetch`, which providers of model APIs use too.
 * @returns ends it
 */
export function observe(note: (noted: Noted) => void): () => void {
  // Node makes its dispatcher when it loads fetch.
  void globalThis.Headers
  const original = Reflect.get(globalThis, GLOBAL) as Dispatcher
  const observing = new Proxy(original, {
    get: (target, name) => {
      if (name === 'dispatch') return dispatchNoted
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? (member as Method).bind(target) : member
    },
  })

  function dispatchNoted(request: Dispatched, handler: object): boolean {
    const noted = notedOf(request)
    note(noted)
    const headers = Object.fromEntries([...noted.headers, ['accept-encoding', 'identity']])
    const body = teed(request.body, noted.sent)
    return original.dispatch({ ...request, headers, body }, watched(handler, noted))
  }

  Reflect.set(globalThis, GLOBAL, observing)
  return () => {
    if (Reflect.get(globalThis, GLOBAL) === observing) Reflect.set(globalThis, GLOBAL, original)
  }
}

function notedOf({ origin = '', path, method = 'GET', headers }: Dispatched): Noted {
  return {
    method,
    url: `${String(origin).replace(/\/$/, '')}${path}`,
    headers: new Map(pairsOf(headers)),
    sent: [],
    received: [],
    status: 0,
    responseHeaders: new Map(),
    isEnded: false,
  }
}

/** The same body, of which everything that is sent is kept too. */
function teed(body: unknown, kept: Uint8Array[]): unknown {
  if (typeof body === 'string') kept.push(Buffer.from(body))
  else if (body instanceof Uint8Array) kept.push(Buffer.from(body))
  else if (isPieces(body)) return piecesOf(body, kept)
  return body
}

function isPieces(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

async function* piecesOf(body: AsyncIterable<Uint8Array | string>, kept: Uint8Array[]) {
  for await (const piece of body) {
    kept.push(Buffer.from(piece as Uint8Array))
    yield piece
  }
}
