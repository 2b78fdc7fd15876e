import { ACCEPTED } from './decode.ts'
import { type Asked, dispatch, globalDispatcher } from './dispatch.ts'
import { ReadHeaders } from './read-headers.ts'
import { type Answer, responseOf } from './response.ts'

export type Fetch = typeof globalThis.fetch

const MOST_REDIRECTS = 5

/**
 * The `fetch` for the SDKs. It uses the same connections as Node's `fetch`, with much less overhead. It supports only
 * requests as the SDKs send them: an address, and a body of text or bytes. It follows a redirect only if the method
 * stays the same and the server too, so that the key does not leave it; other redirects are returned as the answer.
 */
export function nodeFetch(proxy?: string): Fetch {
  const through = proxy === undefined ? undefined : new URL(proxy)
  return async (input, init) => {
    const dispatcher = through ? undefined : globalDispatcher()
    const send = (asked: Asked): Promise<Answer> | undefined =>
      through ? proxied(through, asked) : dispatcher && dispatch(dispatcher, asked)
    let asked = askedOf(String(input), init)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await send(asked)
      // A runtime other than Node has its own client.
      if (!answer) return globalThis.fetch(input, withOwnBytes(init))
      const next = redirected(asked, answer)
      if (!next) return responseOf(answer)
      answer.body.close()
      asked = next
    }
    throw new Error(`the server redirected more than ${MOST_REDIRECTS} times`)
  }
}

/** Sends a request through a proxy. Only then Node's HTTP client is loaded, beside the one of `fetch`. */
async function proxied(proxy: URL, asked: Asked): Promise<Answer> {
  const { sendThrough } = await import('./proxy.ts')
  return sendThrough(proxy, asked)
}

/** Copies the body's bytes to a fixed-size buffer, as the fetch standard requires. */
function withOwnBytes(init: RequestInit = {}): RequestInit {
  const { body } = init
  return body instanceof Uint8Array ? { ...init, body: new Uint8Array(body) } : init
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
  const pairs = isKept || given instanceof Headers ? given : new Headers(given)
  const headers = { 'accept-encoding': ACCEPTED, ...Object.fromEntries(pairs) }
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
