import { ACCEPTED } from './decode.ts'
import { type Asked, dispatch, globalDispatcher } from './dispatch.ts'
import { sendThrough } from './proxy.ts'
import { ReadHeaders } from './read-headers.ts'
import { type Answer, responseOf } from './response.ts'

export type Fetch = typeof globalThis.fetch

const MOST_REDIRECTS = 5

/**
 * The `fetch` that the SDKs are given. It sends as Node's own does, by the same connections, without most of what
 * that costs. Of a request it takes what is sent by the SDKs, an address and a text or its bytes. Redirects are followed where the
 * request stays what it is and its key with its server; others are the answer.
 */
export function nodeFetch(proxy?: string): Fetch {
  const through = proxy === undefined ? undefined : new URL(proxy)
  return async (input, init) => {
    const dispatcher = through ? undefined : globalDispatcher()
    const send = (asked: Asked): Promise<Answer> | undefined =>
      through ? sendThrough(through, asked) : dispatcher && dispatch(dispatcher, asked)
    let asked = askedOf(String(input), init)
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const answer = await send(asked)
      // A runtime that is not Node has a client of its own.
      if (!answer) return globalThis.fetch(input, withOwnBytes(init))
      const next = redirected(asked, answer)
      if (!next) return responseOf(answer)
      answer.body.close()
      asked = next
    }
    throw new Error(`the server redirected more than ${MOST_REDIRECTS} times`)
  }
}

/** A body whose bytes are in memory of a fixed size, as the standard has it. */
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
    // Node refuses what is neither.
    body: (body ?? undefined) as string | Uint8Array | undefined,
  }
}

interface Head extends Pick<Asked, 'url' | 'headers'> {
  readonly address: string
}

/** By headers that a client keeps: it sends them to the same address all day. */
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

/** The same request where it was moved to, on the same server. */
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
