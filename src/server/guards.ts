import { HostError, type Log } from '@braidwork/plugin'

/** The host names that the server answers to, and the web pages that may call it from a browser. */
export interface Origins {
  /** The host names, without port, by which a request may address the server. Undefined allows any. */
  readonly hosts: readonly string[] | undefined
  /** Allowed origins of web pages besides the server's own, such as `https://chat.example.org`. */
  readonly origins: readonly string[]
  /** Whether the server is behind a proxy that sets `X-Forwarded-Host` and `X-Forwarded-Proto`. */
  readonly trustsProxy: boolean
}

/** The names by which a machine addresses itself. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const

/**
 * Refuses requests from web pages of other sites, and requests to a host name that is not the server's (DNS
 * rebinding).
 * @throws {HostError} HOST_FOREIGN, ORIGIN_FOREIGN
 */
export function checkOrigin(request: Request, { hosts, origins, trustsProxy }: Origins): void {
  const { hostname, host, protocol } = addressOf(request, trustsProxy)
  if (hosts && !hosts.includes(hostname)) {
    const remedy = 'If the name is its own, add it to "hosts".'
    const message = `This server does not answer to the host name "${shown(hostname)}". ${remedy}`
    throw new HostError('HOST_FOREIGN', message)
  }
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  const page = urlOf(origin)
  if (page?.host === host && (protocol === undefined || page.protocol === protocol)) return
  throw foreignOrigin(origin, protocol === undefined ? host : `${protocol}//${host}`)
}

/** Logs that a request was refused by {@link checkOrigin}: a browser hides the response from the page. */
export function tellForeign(log: Log, thrown: unknown, request: Request): void {
  if (!HostError.is(thrown)) return
  const { code, message } = thrown
  if (code !== 'ORIGIN_FOREIGN' && code !== 'HOST_FOREIGN') return
  const origin = request.headers.get('origin')
  log({ level: 'warn', code, message, ...(origin === null ? {} : { origin: shown(origin) }) })
}

function foreignOrigin(origin: string, asked: string): HostError {
  const proxy = '"trustsProxy" ("trust_proxy" in a config)'
  return new HostError(
    'ORIGIN_FOREIGN',
    `Web pages of the origin "${shown(origin)}" may not call this server, which was requested as "${shown(asked)}". Add the origin to "origins", or set ${proxy} behind a proxy that sets "X-Forwarded-Host" and "X-Forwarded-Proto".`,
  )
}

/** The longest excerpt of a header in an error. */
const LONGEST_SHOWN = 100

function shown(header: string): string {
  return header.slice(0, LONGEST_SHOWN)
}

/** Returns the headers that let a page of another origin read the response. */
export function corsHeaders(
  request: Request,
  { origins }: Origins,
): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin')
  if (origin === null || !origins.includes(origin)) return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': '*',
    vary: 'origin',
  }
}

/** The origin by which the client addressed the server, such as `https://agents.example.org`. */
export function originOf(request: Request, trustsProxy: boolean): string {
  const { host, protocol = new URL(request.url).protocol } = addressOf(request, trustsProxy)
  return `${protocol}//${host}`
}

/** Answers a CORS preflight request. */
export function preflight(request: Request, origins: Origins): Response {
  const asked = request.headers.get('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request, origins),
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      ...(asked === null ? {} : { 'access-control-allow-headers': asked }),
      'access-control-max-age': '600',
    },
  })
}

interface Address {
  readonly hostname: string
  readonly host: string
  /** For example `https:`. Undefined if unknown, since TLS may end at something in front of this server. */
  readonly protocol: string | undefined
}

/**
 * The address that the client requested. Browsers write `Host`, and no page can change it. Some frameworks, such as
 * Next.js, put an address of their own into `url`, so `url` counts only for a request without `Host`, as over HTTP/2.
 * @throws {HostError} HOST_FOREIGN if the header is not a valid name
 */
function addressOf({ url, headers }: Request, trustsProxy: boolean): Address {
  const asked = new URL(url)
  const scheme = trustsProxy ? lastOf(headers.get('x-forwarded-proto')) : undefined
  const protocol = scheme === undefined ? undefined : `${scheme.toLowerCase()}:`
  const forwarded = trustsProxy ? lastOf(headers.get('x-forwarded-host')) : undefined
  const host = forwarded ?? (headers.get('host') || undefined)
  if (host === undefined) return { hostname: asked.hostname, host: asked.host, protocol }
  const named = HOST.test(host) ? urlOf(`${protocol ?? asked.protocol}//${host}`) : undefined
  if (named) return { hostname: named.hostname, host: named.host, protocol }
  const header =
    forwarded === undefined ? '"Host" header' : '"X-Forwarded-Host" header of the proxy'
  throw new HostError('HOST_FOREIGN', `The ${header} is not a valid host name.`)
}

/** A host with an optional port, and nothing else of an address. */
const HOST = /^[^\s/?#@\\]+$/

/**
 * Returns the last item of a forwarded list, which the nearest proxy added. The client may have sent the earlier
 * ones.
 */
function lastOf(list: string | null): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
