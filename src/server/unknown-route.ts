import { HostError } from '@braidwork/plugin'

/** The routes of model APIs. Some clients add `/v1` to their base URL themselves, and others do not. */
const OF_APIS = /\/(?:messages|messages\/count_tokens|responses|chat\/completions|embeddings)$/
const LONGEST = 100

/** The error of a path that no route has. A client with a wrong base URL is told the right one. */
export function routeUnknown(method: string, path: string): HostError {
  const known = `The server has no route ${method} ${path.slice(0, LONGEST)}.`
  return new HostError('METHOD_UNKNOWN', [known, ...hintsFor(path)].join(' '))
}

function hintsFor(path: string): readonly string[] {
  const [route] = OF_APIS.exec(path) ?? []
  if (route === undefined || path.length > LONGEST) return []
  const before = path.slice(0, -route.length)
  if (before.endsWith('/v1/v1')) {
    const base = before.slice(0, -'/v1/v1'.length)
    return [
      `It has ${base}/v1${route}: the client adds "/v1" itself, so leave that out of its base URL.`,
    ]
  }
  if (before.endsWith('/v1')) return []
  return [`It has ${before}/v1${route}: let the base URL of the client end with "${before}/v1".`]
}
