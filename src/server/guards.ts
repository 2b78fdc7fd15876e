import { HostError } from '@braidwork/plugin'

/** The host names that the server answers to, and the web pages that may call it from a browser. */
export interface Origins {
  /** The host names, without port, that a request may name in its address. Undefined allows any. */
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
    const name = hostname.slice(0, 100)
    throw new HostError('HOST_FOREIGN', `This server does not answer to the host name "${name}".`)
  }
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  const page = urlOf(origin)
  if (page?.host === host && (protocol === undefined || page.protocol === protocol)) return
  throw new HostError('ORIGIN_FOREIGN', 'Web pages of this origin may not call the server.')
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
 * The address that the client requested. @throws {HostError} HOST_FOREIGN if a forwarded host is not a valid name
 */
function addressOf({ url, headers }: Request, trustsProxy: boolean): Address {
  const asked = new URL(url)
  const host = trustsProxy ? lastOf(headers.get('x-forwarded-host')) : undefined
  const scheme = trustsProxy ? lastOf(headers.get('x-forwarded-proto')) : undefined
  const protocol = scheme === undefined ? undefined : `${scheme.toLowerCase()}:`
  if (host === undefined) return { hostname: asked.hostname, host: asked.host, protocol }
  const forwarded = urlOf(`${scheme ?? 'http'}://${host}`)
  if (forwarded) return { hostname: forwarded.hostname, host: forwarded.host, protocol }
  throw new HostError(
    'HOST_FOREIGN',
    'The "X-Forwarded-Host" header of the proxy is not a valid host name.',
  )
}

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
