import type { Noted } from './noted.ts'

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

/** The headers of a request or of a response: an object, pairs, or names and values in turn; texts or bytes. */
function pairsOf(headers: unknown): [string, string][] {
  if (typeof headers !== 'object' || headers === null) return []
  if (!(Symbol.iterator in headers)) return Object.entries(headers).map(pairOf)
  const list = [...(headers as Iterable<unknown>)]
  if (list.every(Array.isArray)) return list.map((pair) => pairOf(pair as [unknown, unknown]))
  return list.flatMap((name, at) => (at % 2 === 0 ? [pairOf([name, list[at + 1]])] : []))
}

function pairOf([name, value]: readonly [unknown, unknown]): [string, string] {
  return [String(name).toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]
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

/** What the two generations of undici's handlers are told, by the names of their methods. */
const TOLD: { readonly [method: string]: (noted: Noted, given: readonly unknown[]) => void } = {
  onHeaders: (noted, [status, headers]) => begin(noted, status, headers),
  onResponseStart: (noted, [, status, headers]) => begin(noted, status, headers),
  onData: ({ received }, [piece]) => received.push(Buffer.from(piece as Uint8Array)),
  onResponseData: ({ received }, [, piece]) => received.push(Buffer.from(piece as Uint8Array)),
  onComplete: (noted) => end(noted),
  onResponseEnd: (noted) => end(noted),
}

function begin(noted: Noted, status: unknown, headers: unknown): void {
  noted.status = Number(status)
  noted.responseHeaders = new Map(pairsOf(headers))
}

function end(noted: Noted): void {
  noted.isEnded = true
}

function watched(handler: object, noted: Noted): object {
  return new Proxy(handler, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        if (typeof name === 'string' && Object.hasOwn(TOLD, name)) TOLD[name]?.(noted, given)
        return (member as Method).apply(target, given)
      }
    },
  })
}
