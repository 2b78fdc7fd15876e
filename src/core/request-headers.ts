import { type ErrorCode, HostError, isObject, pointerOf, type State } from '@braidwork/plugin'
import type { ErrorPlace } from '@braidwork/plugin/internal'

/** A name of a header, as HTTP/2 and Node write it. */
const NAME = /^[\da-z!#$%&'*+.^_`|~-]+$/
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/
/** The whole size of the headers that Node's servers accept. */
const LONGEST = 16_384

const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-auth-token'])
/** The end of the names in which model APIs expect a key, such as `x-api-key` and `x-goog-api-key`. */
const KEY = /(^|-)(api|access|secret|subscription)-?key$/

/** The headers that belong to the connection and the body, which the provider's client sets. */
const FRAMING = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Checks the headers that a hook adds to the request, in `requestHeaders` of the state.
 * @throws {HostError} REQUEST_HEADER_REFUSED with the name of the header, never with its value
 */
export function checkRequestHeaders({ requestHeaders: headers }: State, place: ErrorPlace): void {
  if (headers === undefined) return
  if (!isObject(headers)) throw refused([], 'is not an object of texts by name', place)
  let size = 0
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value)
    if (fault !== undefined) throw refused([name], fault, place)
    size += name.length + value.length
  }
  if (size > LONGEST) throw refused([], `has more than ${LONGEST} characters`, place)
}

function headerFault(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return 'is not the name of a header in lower case'
  if (CREDENTIALS.has(name) || KEY.test(name))
    return "may carry a key; only the provider's own settings may set it"
  if (FRAMING.has(name)) return 'belongs to the connection, and the provider sets it'
  if (typeof value !== 'string') return 'is not a text'
  return UNSENDABLE.test(value)
    ? 'has a line break or another character that a header cannot contain'
    : undefined
}

function refused(path: readonly string[], fault: string, place: ErrorPlace): HostError {
  const code: ErrorCode = 'REQUEST_HEADER_REFUSED'
  const { plugin, hook } = place
  const [name] = path
  const what =
    name === undefined
      ? '"requestHeaders"'
      : `"requestHeaders" names ${JSON.stringify(name)}, which`
  const text = `Hook "${hook}" of "${plugin}" returned a state whose ${what} ${fault}.`
  return new HostError(code, text, { ...place, pointer: pointerOf(['requestHeaders', ...path]) })
}
