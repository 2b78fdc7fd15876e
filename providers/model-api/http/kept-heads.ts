import { ReadHeaders } from '../body/read-headers.ts'
import { writtenBody } from '../written-body.ts'

/** A request as the SDK builds it. */
interface Built {
  readonly req: RequestInit & { readonly headers: Headers }
  readonly url: string
  readonly timeout: number
}

/** The request options that determine the address and headers. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
  readonly timeout?: number
  readonly headers?: unknown
  readonly fetchOptions?: unknown
}

/** The SDK's internal method for building requests. A later SDK release may not have it. */
interface Builder {
  buildRequest?(asked: Asked, attempt?: Attempt): Promise<Built>
}

interface Attempt {
  readonly retryCount?: number
}

/** The maximum number of cached heads per client. Others are built again. */
const MOST = 64

/**
 * Makes a client cache the address and headers of requests that differ only in their bodies, since building them is
 * most of the SDK's cost. Retries get headers of their own. Do not use this for a client with the application's own
 * `fetch`, which may modify the headers that it receives.
 */
export function keepingHeads<C extends Builder>(client: C): C {
  const heads = new Map<string, Built>()
  const build = client.buildRequest?.bind(client)
  if (!build) return client
  const headOf = async (asked: Asked, attempt: Attempt | undefined): Promise<Built> => {
    // The SDK would serialize the whole body at once, without yielding. The head does not depend on the body.
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
  const buildFromHead: Builder['buildRequest'] = async (asked, attempt) => {
    const { body, signal } = asked
    if (!body) return build(asked, attempt)
    const head = await headOf(asked, attempt)
    const req = { ...head.req, body: await writtenBody(body), ...(signal ? { signal } : {}) }
    return { ...head, req }
  }
  client.buildRequest = buildFromHead
  return client
}
