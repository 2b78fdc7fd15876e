import { setImmediate } from 'node:timers'
import { ACCEPTED } from '../body/decode.ts'
import { ReadHeaders } from '../body/read-headers.ts'
import { type Answer, responseOf } from '../body/response.ts'
import { type Asked, dispatch, globalDispatcher, loadFetch } from './dispatch.ts'
import { sendOverHttp } from './node-http.ts'
import { PlainHeaders } from './plain-headers.ts'

export type Fetch = typeof globalThis.fetch

const MOST_REDIRECTS = 5

/**
 * The `fetch` for the SDKs. It uses the connections of Node's `fetch` in a process that has loaded it, else those of
 * Node's HTTP client: to load `fetch` takes longer than all other work before a first request. A process that sends
 * many requests loads it then. It supports only requests as the SDKs send them: an address, and a body of text or
 * bytes. It follows a redirect only if the method stays the same and the server too, so that the key does not leave
 * it; other redirects are returned as the answer.
 */
export function nodeFetch(proxy?: string): Fetch {
  const through = proxy === undefined ? undefined : new URL(proxy)
  return async (input, init) => {
    let asked = askedOf(String(input), init)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await (through ? proxied(through, asked) : direct(asked))
      const next = redirected(asked, answer)
      if (!next) return responseOf(answer)
      answer.body.close()
      asked = next
    }
    throw new Error(`the server redirected more than ${MOST_REDIRECTS} times`)
  }
}

/** A request over the connections of `fetch` is cheaper: after so many requests, its load time has paid for itself. */
const MANY = 100
let overHttp = 0

function direct(asked: Asked): Promise<Answer> {
  const dispatcher = globalDispatcher()
  if (dispatcher) return dispatch(dispatcher, asked)
  overHttp++
  if (overHttp === MANY) setImmediate(loadFetch)
  return sendOverHttp(asked)
}

async function proxied(proxy: URL, asked: Asked): Promise<Answer> {
  const { sendThrough } = await import('./proxy.ts')
  return sendThrough(proxy, asked)
}

function askedOf(
  address: string,
  { method = 'GET', headers, body, signal }: RequestInit = {},
): Asked {
  return {
    ...headOf(address, headers),
    method,
    signal: signal ?? undefined,
    // Node rejects bodies of other types.
    body: (body ?? undefined) as string | Uint8Array | undefined,
  }
}

interface Head extends Pick<Asked, 'url' | 'headers'> {
  readonly address: string
}

/** Heads by header object. A client caches its headers and sends them to the same address again and again. */
const heads = new WeakMap<ReadHeaders, Head>()

function headOf(address: string, given: RequestInit['headers']): Head {
  const isKept = given instanceof ReadHeaders
  const known = isKept ? heads.get(given) : undefined
  if (known?.address === address) return known
  const headers = { 'accept-encoding': ACCEPTED, ...Object.fromEntries(new PlainHeaders(given)) }
  const head = { address, url: new URL(address), headers }
  if (isKept) heads.set(given, head)
  return head
}

/** The request with a new address, for a redirect on the same server. */
function redirected(asked: Asked, { status, headers }: Answer): Asked | undefined {
  const { url, method } = asked
  const { location } = headers
  const staysSame = status === 307 || status === 308
  const isRead = method === 'GET' && status >= 301 && status <= 303
  if (location === undefined || !(staysSame || isRead)) return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const next = new URL(location, url)
  return next.origin === url.origin ? { ...asked, url: next } : undefined
}
