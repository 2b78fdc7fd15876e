import type { HostError } from '@braidwork/plugin'

/** The AI SDK recognizes its errors by these symbols, whichever copy of its package made them. */
const ANY = Symbol.for('vercel.ai.error')
const API_CALL = Symbol.for('vercel.ai.error.AI_APICallError')
const UNSUPPORTED = Symbol.for('vercel.ai.error.AI_UnsupportedFunctionalityError')

/**
 * An error of a model API, as the AI SDK's `APICallError`: with `isRetryable` it repeats the request. `cause` and `data`
 * have the code of the host.
 */
export class ModelCallError extends Error {
  override readonly name = 'AI_APICallError'
  readonly [ANY] = true
  readonly [API_CALL] = true
  /** The address is known to the provider alone. */
  readonly url: string
  readonly requestBodyValues = {}
  readonly statusCode: number | undefined
  readonly responseHeaders: Record<string, string> | undefined
  readonly responseBody: undefined
  readonly isRetryable: boolean
  readonly data: unknown

  constructor(error: HostError) {
    super(error.message, { cause: error })
    const { status, retryAfter, provider = 'unknown' } = error
    this.url = `braidwork:${provider}`
    this.statusCode = status
    this.isRetryable = error.retryable ?? isTemporary(status)
    this.responseHeaders =
      retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
    this.data = error.toJSON()
  }
}

/** The prompt has content that no message of Braidwork can hold, as the AI SDK's `UnsupportedFunctionalityError`. */
export class UnsupportedContentError extends Error {
  override readonly name = 'AI_UnsupportedFunctionalityError'
  readonly [ANY] = true
  readonly [UNSUPPORTED] = true
  readonly functionality: string

  constructor(functionality: string) {
    super(`The prompt has ${functionality}.`)
    this.functionality = functionality
  }
}

/** The error that the AI SDK gets: its own for what a model API did, and the host's for all else. */
export function sdkError(error: HostError): Error {
  const isOfApi = error.status !== undefined || error.retryable !== undefined
  return isOfApi ? new ModelCallError(error) : error
}

/** The error for a call that its caller cancelled. The AI SDK tells it by its name. */
export function cancelled(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError')
}

function isTemporary(status: number | undefined): boolean {
  return (
    status !== undefined && (status === 408 || status === 409 || status === 429 || status >= 500)
  )
}
