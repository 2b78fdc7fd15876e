import { HostError } from '../errors.ts'

/** Whom the server answers to: names that it goes by, and pages that may call it from a browser. */
export interface Origins {
  /** Hosts, without port, that a request may name; `undefined` for any. */
  readonly hosts: readonly string[] | undefined
  /** Origins of pages beside the server's own, as `https://chat.example.org`. */
  readonly origins: readonly string[]
}

/** The names of this machine to itself. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const

/**
 * Refuses what a page of another site, or a name that was made to lead here, brought along.
 * @throws {HostError} HOST_FOREIGN, ORIGIN_FOREIGN
 */
export function checkOrigin(request: Request, { hosts, origins }: Origins): void {
  const { hostname, host } = new URL(request.url)
  if (hosts && !hosts.includes(hostname)) {
    throw new HostError('HOST_FOREIGN', `This server does not go by the name "${hostname}".`)
  }
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin) || hostOf(origin) === host) return
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

function hostOf(origin: string): string | undefined {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
