import { headersOf, type PublicError, type WireAnswer } from '../index.ts'

/** An error before the first byte. Clients show the body as the message of their error. */
export function uiErrorAnswer(error: PublicError): WireAnswer {
  const { status, retryAfter: _, ...body } = error
  return { status, headers: headersOf(error), body }
}

/** An error in the stream. Clients accept only a text. */
export function errorChunk({ message, code }: PublicError): object {
  return { type: 'error', errorText: `${message} (${code})` }
}
