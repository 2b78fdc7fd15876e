import type { Context, Headers } from '@braidwork/plugin'

/** The part of a request's state that holds headers. */
interface WithHeaders {
  /** The headers that plugins add to the request. */
  readonly requestHeaders?: Headers
  /** The headers of the response. */
  readonly responseHeaders?: Headers
}

/** The headers of a request: those of the API's format, and those that plugins add. */
export function requestHeaders(own: Headers = {}, { requestHeaders: added }: WithHeaders): Headers {
  const headers: { [name: string]: string } = { ...own }
  for (const [name, value] of Object.entries(added ?? {})) {
    // A list in a header may be continued (RFC 9110, 5.3), such as that of beta features.
    const known = headers[name]
    headers[name] = known === undefined ? value : `${known},${value}`
  }
  return headers
}

/** The headers of a response, without cookies: gateways set them, and they may let others in. */
export function headersOf({ headers }: Response): Headers {
  const kept: [name: string, value: string][] = []
  for (const [given, value] of headers.entries()) {
    const name = given.toLowerCase()
    if (!name.startsWith('set-cookie')) kept.push([name, value])
  }
  return Object.fromEntries(kept)
}

const KEPT = 'response-headers'

/** Returns a function that keeps the headers of a stream's response for its first chunk. */
export function keepHeaders({ local }: Context): (headers: Headers) => void {
  return (headers) => local.set(KEPT, headers)
}

/** The state with the headers that were kept. */
export function withKeptHeaders<S extends WithHeaders>(state: S, { local }: Context): S {
  const responseHeaders = local.get(KEPT) as Headers | undefined
  return responseHeaders ? { ...state, responseHeaders } : state
}
