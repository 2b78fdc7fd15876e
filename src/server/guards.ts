import { HostError } from '@braidwork/plugin'

/** Whom the server answers to: names that it goes by, and pages that may call it from a browser. */
export interface Origins {
  /** Hosts, without port, that a request may name; `undefined` for any. */
  readonly hosts: readonly string[] | undefined
  /** Origins of pages beside the server's own, as `https://chat.example.org`. */
  readonly origins: readonly string[]
  /** Whether a proxy stands before the server, whose `X-Forwarded-Host` and `-Proto` say what was asked for. */
  readonly trustsProxy: boolean
}

/** The names of this machine to itself. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const

/**
 * Refuses what a page of another site, or a name that was made to lead here, brought along.
 * @throws {HostError} HOST_FOREIGN, ORIGIN_FOREIGN
 */
export function checkOrigin(request: Request, { hosts, origins, trustsProxy }: Origins): void {
  const { hostname, host, protocol } = addressOf(request, trustsProxy)
  if (hosts && !hosts.includes(hostname)) {
    const name = hostname.slice(0, 100)
    throw new HostError('HOST_FOREIGN', `This server does not go by the name "${name}".`)
  }
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  const page = urlOf(origin)
  if (page?.host === host && (protocol === undefined || page.protocol === protocol)) return
  throw new HostError('ORIGIN_FOREIGN', 'Pages of this origin may not call the server.')
}

/** The headers that let a page of another origin read an answer. */
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

/** What a browser is told before it sends a request of another origin. */
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
  /** As `https:`, where it is known: whether TLS ends before this server is not. */
  readonly protocol: string | undefined
}

/** What the client asked for. @throws {HostError} HOST_FOREIGN where that is no name */
function addressOf({ url, headers }: Request, trustsProxy: boolean): Address {
  const asked = new URL(url)
  const host = trustsProxy ? lastOf(headers.get('x-forwarded-host')) : undefined
  const scheme = trustsProxy ? lastOf(headers.get('x-forwarded-proto')) : undefined
  const protocol = scheme === undefined ? undefined : `${scheme.toLowerCase()}:`
  if (host === undefined) return { hostname: asked.hostname, host: asked.host, protocol }
  const forwarded = urlOf(`${scheme ?? 'http'}://${host}`)
  if (forwarded) return { hostname: forwarded.hostname, host: forwarded.host, protocol }
  throw new HostError('HOST_FOREIGN', 'What the proxy says was asked for is no name of a host.')
}

/** Of several proxies the nearest has the last word: what stands before it may be the client's own. */
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
