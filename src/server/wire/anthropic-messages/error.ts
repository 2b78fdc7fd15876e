import {
  anthropicMessage,
  headersOf,
  type PublicError,
  retryHeaders,
  type WireAnswer,
} from '../index.ts'

const TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

/** Tells clients that use threads to send whole histories from then on. */
const NO_THREADS = { error_code: 'thread_unsupported_request', unsupported: ['thread'] }

/**
 * Formats an error for the Messages API. If the request is wrong, the message begins with the place of the fault.
 */
export function anthropicError(error: PublicError, requestId?: string): object {
  const { status, pointer } = error
  const message = anthropicMessage(error)
  const place = pointer === undefined ? '' : pointer.slice(1).replaceAll('/', '.')
  const kind = status < 499 ? 'invalid_request_error' : 'api_error'
  return {
    type: 'error',
    error: {
      type: TYPES.get(status) ?? kind,
      message: place === '' ? message : `${place}: ${message}`,
      ...(place === 'thread' ? { details: NO_THREADS } : {}),
    },
    ...(requestId === undefined ? {} : { request_id: requestId }),
  }
}

/** Formats an error before the first byte. */
export function anthropicErrorAnswer(error: PublicError, requestId?: string): WireAnswer {
  return {
    status: error.status,
    headers: { ...headersOf(error), ...retryHeaders(error) },
    body: anthropicError(error, requestId),
  }
}
