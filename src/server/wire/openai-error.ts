import { openAIMessage } from './overflow.ts'
import type { WireAnswer } from './protocol.ts'
import type { PublicError } from './public-error.ts'

/** An error in the format of OpenAI's APIs. */
export interface OpenAIError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

/** The host's codes that have an equivalent known to OpenAI clients. All others are sent in lower case. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['CONTENT_FILTERED', 'content_filter'],
  ['CONTEXT_OVERFLOW', 'context_length_exceeded'],
  ['MODEL_UNKNOWN', 'model_not_found'],
  ['MODEL_UNPUBLISHED', 'model_not_found'],
  ['QUOTA_EXCEEDED', 'insufficient_quota'],
  ['RATE_LIMITED', 'rate_limit_exceeded'],
  ['TOO_MANY_REQUESTS', 'rate_limit_exceeded'],
  ['UNAUTHORIZED', 'invalid_api_key'],
])

const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
])

export function openAIError(error: PublicError): OpenAIError {
  const { code, status, pointer } = error
  const kind = status < 499 ? 'invalid_request_error' : 'server_error'
  return {
    message: openAIMessage(error),
    type: code === 'QUOTA_EXCEEDED' ? 'insufficient_quota' : (TYPES.get(status) ?? kind),
    param: pointer === undefined ? null : paramOf(pointer),
    code: openAICode(error),
  }
}

function openAICode(error: PublicError): string {
  if (isOfPrevious(error)) return 'previous_response_not_found'
  return CODES.get(error.code) ?? error.code.toLowerCase()
}

/** Whether a request continues a response that does not exist. OpenAI says so with the status 400. */
function isOfPrevious({ code, pointer }: PublicError): boolean {
  return code === 'RUN_UNKNOWN' && pointer === '/previous_response_id'
}

/**
 * Returns the fields of an `error` event of the Responses API. They stand in the event, as OpenAI documents it and AI
 * SDK 4 reads it, and in `error`, where the clients of OpenAI and AI SDK 5 look.
 */
export function openAIErrorFields(error: PublicError): object {
  const told = openAIError(withInput(error))
  const { code, message, param } = told
  return { code, message, param, error: told }
}

/** Formats an error before the first byte. */
export function openAIErrorAnswer(error: PublicError): WireAnswer {
  const headers = { ...headersOf(error), ...retryHeaders(error) }
  const status = isOfPrevious(error) ? 400 : error.status
  return { status, headers, body: { error: openAIError(error) } }
}

/** The statuses of requests whose fault is their own: they fail every time. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 413, 421])

/**
 * Returns the header that keeps the clients of OpenAI and Anthropic from repeating a request that fails every time. By
 * default they repeat it for its status, and Claude Code repeats a 401 and a 404 for minutes.
 */
export function retryHeaders({ retryable, status }: PublicError): WireAnswer['headers'] {
  return retryable === false || FINAL.has(status) ? { 'x-should-retry': 'false' } : {}
}

/** Returns a `retry-after` header, if the error has a time. */
export function headersOf({ retryAfter }: PublicError): WireAnswer['headers'] {
  return retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfter)) }
}

/** Formats an error of the Responses API before the first byte. */
export function responsesErrorAnswer(error: PublicError): WireAnswer {
  return openAIErrorAnswer(withInput(error))
}

/** The Responses API has messages in its field `input`. */
function withInput(error: PublicError): PublicError {
  return error.pointer === '/messages' ? { ...error, pointer: '/input' } : error
}

/** Converts a JSON pointer to OpenAI's notation, such as `messages[0].content`. */
function paramOf(pointer: string): string {
  const keys = pointer.split('/').slice(1)
  return keys
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((key, at) => (/^\d+$/.test(key) ? `[${key}]` : at === 0 ? key : `.${key}`))
    .join('')
}
