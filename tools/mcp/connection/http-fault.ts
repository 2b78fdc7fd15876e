import { isObject } from '@braidwork/plugin'
import { LoginProblem, Problem } from '../problem.ts'
import { messageOf } from './connection.ts'

/** The most characters of a response that an error quotes. */
const MOST_QUOTED = 200
/** System codes (Node's `errors.html`) of a connection that broke, after the server may have got the request. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE'])

/** Whether the connection of a request broke before its response. The server may have taken the request. */
export function isBroken(error: unknown): boolean {
  return error instanceof Problem && BROKEN.has(causeCodeOf(error))
}

/**
 * Converts the error of a call that an HTTP server did not take: it could not be reached, or it answered with a status.
 * Undefined for all other errors.
 */
export function httpFault(error: unknown, server: string): Error | undefined {
  if (error instanceof LoginProblem)
    return faultOf(`is not available: ${messageOf(error)}`, server, { code: 'UNAUTHORIZED' })
  const code = error instanceof Problem ? causeCodeOf(error) : undefined
  if (code !== undefined) return faultOf(`is not available: ${messageOf(error)}`, server, { code })
  const status = statusOf(error)
  if (status === undefined) return undefined
  const answered = `answered with the HTTP status ${status}${quoted(error)}.`
  if (status === 401)
    return faultOf(
      `${answered} It asks for a login: set "headers" of the server, or run "braidwork mcp login ${server}".`,
      server,
      { code: 'UNAUTHORIZED' },
    )
  if (status === 429) return faultOf(answered, server, { code: 'RATE_LIMITED', retryable: true })
  if (status === 503) return faultOf(answered, server, { code: 'OVERLOADED', retryable: true })
  return faultOf(answered, server, {})
}

function faultOf(text: string, server: string, facts: object): Error {
  return Object.assign(new Error(`The MCP server "${server}" ${text}`), facts)
}

/** The cause may be an error of Node, whose class is another one under jest. */
function causeCodeOf({ cause }: Error): unknown {
  const { code }: { readonly code?: unknown } = Object(cause)
  return code
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'UnauthorizedError') return 401
  const { data } = error as { readonly data?: unknown }
  const status = isObject(data) ? data['status'] : undefined
  return typeof status === 'number' ? status : undefined
}

/** The beginning of the response, which often says why. */
function quoted(error: unknown): string {
  const { data } = error as { readonly data?: { readonly text?: unknown } }
  if (typeof data?.text !== 'string' || data.text.trim() === '') return ''
  return ` (${messageOf(data.text).slice(0, MOST_QUOTED)})`
}
