import { headersOf, type PublicError, type WireAnswer } from '../index.ts'

/** An error before the first byte, as the event that it would be after it, with the place of what was wrong. */
export function agUiErrorAnswer(error: PublicError): WireAnswer {
  const { status, pointer } = error
  const place = pointer === undefined ? {} : { metadata: { pointer } }
  return { status, headers: headersOf(error), body: { ...errorEvent(error), ...place } }
}

export function errorEvent({ message, code }: PublicError): object {
  return { type: 'RUN_ERROR', message, code }
}
