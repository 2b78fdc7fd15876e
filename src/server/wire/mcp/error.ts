import { headersOf, type PublicError, type WireAnswer } from '../index.ts'

/** The codes of JSON-RPC. */
export const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INTERNAL = -32_603
/** The code that SDKs of MCP give a session that the server does not have. */
export const SESSION_UNKNOWN = -32_001

/** Formats an error of a request, before its message was handled. @param code where it is known */
export function mcpErrorAnswer(error: PublicError, code?: number): WireAnswer {
  const { status, message } = error
  const own = status < 500 ? INVALID_REQUEST : INTERNAL
  const data = { code: error.code }
  const body = { jsonrpc: '2.0', id: null, error: { code: code ?? own, message, data } }
  return { status, headers: headersOf(error), body }
}
