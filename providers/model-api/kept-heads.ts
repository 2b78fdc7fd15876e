import { ReadHeaders } from './read-headers.ts'
import { writtenBody } from './written-body.ts'

/** A request as an SDK builds it. */
interface Built {
  readonly req: RequestInit & { readonly headers: Headers }
  readonly url: string
  readonly timeout: number
}

/** What is asked of an SDK's client, as far as it makes requests differ. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
  readonly timeout?: number
  readonly headers?: unknown
  readonly fetchOptions?: unknown
}

/** Not a part of what the SDKs promise: a release may be without it. */
interface Builder {
  buildRequest?(asked: Asked, attempt?: Attempt): Promise<Built>
}

interface Attempt {
  readonly retryCount?: number
}

/** Heads that are kept; a client with more of them builds one anew now and then. */
const MOST = 64

/**
 * Lets a client build address and headers once for all requests that differ in their bodies alone: to build
 * them is most of what an SDK costs. Attempts after the first have headers of their own. Not for a client with a
 * `fetch` of the application's own, which may change the headers that it is given.
 */
export function keepingHeads<C extends Builder>(client: C): C {
  const heads = new Map<string, Built>()
  const build = client.buildRequest?.bind(client)
  if (!build) return client
  const headOf = async (asked: Asked, attempt: Attempt | undefined): Promise<Built> => {
    // The SDKs would write the whole body in one stretch, and a head is the same for all bodies.
    const withoutBody = { ...asked, body: {} }
    if (attempt?.retryCount) return build(withoutBody, attempt)
    const { method, path, timeout, headers, fetchOptions } = asked
    const key = JSON.stringify([method, path, timeout, headers, fetchOptions])
    const known = heads.get(key)
    if (known) return known
    const built = await build(withoutBody, attempt)
    const { signal: _signal, body: _body, ...req } = built.req
    const kept = new ReadHeaders(Object.fromEntries(req.headers)) as unknown as Headers
    const head = { ...built, req: { ...req, headers: kept } }
    if (heads.size >= MOST) heads.clear()
    heads.set(key, head)
    return head
  }
  client.buildRequest = async (asked, attempt) => {
    const { body, signal } = asked
    if (!body) return build(asked, attempt)
    const head = await headOf(asked, attempt)
    const req = { ...head.req, body: await writtenBody(body), ...(signal ? { signal } : {}) }
    return { ...head, req }
  }
  return client
}
