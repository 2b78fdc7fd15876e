import { headersOf, type PublicError, type WireAnswer } from '../index.ts'

/**
 * An error before the first byte: the body is the event that the stream would have, with a pointer to the fault.
 */
export function agUiErrorAnswer(error: PublicError): WireAnswer {
  const { status, pointer } = error
  const place = pointer === undefined ? {} : { metadata: { pointer } }
  return { status, headers: headersOf(error), body: { ...errorEvent(error), ...place } }
}

export function errorEvent({ message, code }: PublicError): object {
  return { type: 'RUN_ERROR', message, code }
}
