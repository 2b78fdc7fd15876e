interface Facts {
  readonly status?: number
  readonly retryable: boolean
}

interface FaultError extends Facts {
  readonly code: string
  readonly message: string
}

/** The faults that a script can simulate, with the error for each. */
export const FAULT_ERRORS = {
  'rate-limit': {
    code: 'RATE_LIMITED',
    status: 429,
    retryable: true,
    message: 'too many requests',
  },
  unauthorized: {
    code: 'PROVIDER_UNAUTHORIZED',
    status: 401,
    retryable: false,
    message: 'the key was refused',
  },
  quota: { code: 'QUOTA_EXCEEDED', status: 429, retryable: false, message: 'the quota is used up' },
  overloaded: {
    code: 'OVERLOADED',
    status: 529,
    retryable: true,
    message: 'the API is overloaded',
  },
  'context-overflow': {
    code: 'CONTEXT_OVERFLOW',
    status: 400,
    retryable: false,
    message: 'the messages do not fit into the context of the model',
  },
  'invalid-request': {
    code: 'INVALID_REQUEST',
    status: 400,
    retryable: false,
    message: 'the request is malformed',
  },
  'model-unknown': {
    code: 'MODEL_UNKNOWN',
    status: 404,
    retryable: false,
    message: 'the model is not known',
  },
  'content-filtered': {
    code: 'CONTENT_FILTERED',
    status: 400,
    retryable: false,
    message: 'the answer was filtered',
  },
  failed: { code: 'PROVIDER_FAILED', status: 500, retryable: true, message: 'the API failed' },
  cut: {
    code: 'STREAM_INTERRUPTED',
    retryable: true,
    message: 'the stream ended before the answer did',
  },
  malformed: { code: 'PROVIDER_FAILED', retryable: true, message: 'a chunk cannot be read' },
} as const satisfies { readonly [fault: string]: FaultError }

export type FaultErrorName = keyof typeof FAULT_ERRORS

/** Makes an error as a provider throws it. The host copies its fields. */
export function providerError(fault: FaultErrorName, reason?: string, retryAfter?: number): Error {
  const { message, ...facts } = FAULT_ERRORS[fault]
  return Object.assign(new Error(`Provider "scripted": ${reason ?? message}.`), {
    ...facts,
    provider: 'scripted',
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** Makes the error for an invalid setting. `pointer` is a JSON pointer into the config. */
export function settingError(pointer: string, reason: string, cause?: unknown): Error {
  const message = `Setting "${pointer}" of provider "scripted" is invalid: ${reason}.`
  return Object.assign(new Error(message, { cause }), { code: 'SETTINGS_INVALID', pointer })
}

/** Makes the error for an input that is no text. */
export function inputError(index: number): Error {
  const message = 'This model takes texts, not token ids.'
  return Object.assign(new Error(message), { code: 'REQUEST_INVALID', pointer: `/input/${index}` })
}

export function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error('cancelled', { cause: signal.reason }), { code: 'ABORTED' })
}
