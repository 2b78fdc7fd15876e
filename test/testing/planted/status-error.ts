/** An error with a code of its own. */
export function typedError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

const CODES: { readonly [status: number]: string } = {
  400: 'INVALID_REQUEST',
  401: 'PROVIDER_UNAUTHORIZED',
  429: 'RATE_LIMITED',
  503: 'OVERLOADED',
}

/** The error for a status of HTTP. */
export function statusError(status: number): Error {
  return typedError(CODES[status] ?? 'PROVIDER_FAILED', `The API answers with status ${status}.`)
}
