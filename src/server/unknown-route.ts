import { HostError } from '@braidwork/plugin'

/** The routes of model APIs. Some clients add `/v1` to their base URL themselves, and others do not. */
const OF_APIS =
  /\/(?:messages|messages\/count_tokens|responses|responses\/input_tokens|chat\/completions|embeddings)$/
const LONGEST = 100

/** The error of a path that no route has. A client with a wrong base URL is told the right one. */
export function routeUnknown(method: string, path: string, basePath = ''): HostError {
  const known = `The server has no route ${method} ${path.slice(0, LONGEST)}.`
  const hints = method === 'POST' && path.length <= LONGEST ? hintsFor(path, basePath) : []
  return new HostError('METHOD_UNKNOWN', [known, ...hints].join(' '))
}

function hintsFor(path: string, basePath: string): readonly string[] {
  const single = path.replaceAll(/\/+/g, '/')
  const [route] = OF_APIS.exec(single) ?? []
  if (route === undefined || !single.startsWith(`${basePath}/`)) return []
  const base = `${basePath}/v1`
  const right = `${base}${route}`
  if (single === right) return single === path ? [] : [`It has ${right}: ${SLASHES}`]
  return [`It has ${right}${adviceFor(single.slice(0, -route.length), base)}`]
}

const SLASHES =
  'the path has two slashes in a row, so let the base URL of the client end without a slash.'

/** @param before what the path has in front of the route */
function adviceFor(before: string, base: string): string {
  if (before === `${base}/v1`) {
    return ': the client adds "/v1" itself, so leave that out of its base URL.'
  }
  if (before.includes('/openai/deployments/')) {
    return `: the path is one of Azure, so use a client of OpenAI's own API, and let its base URL end with "${base}".`
  }
  return before.endsWith('/v1') ? '.' : `: let the base URL of the client end with "${base}".`
}
