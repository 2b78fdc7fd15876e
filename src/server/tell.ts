import { messageOf, toHostError } from '../errors.ts'
import type { Log } from '../plugin/internal.ts'
import { publicError } from '../wire/public-error.ts'

/** Writes down what a client is not told of an error: the reason is for whoever runs the server. */
export function tell(log: Log, thrown: unknown, facts: { readonly runId?: string } = {}): void {
  const error = toHostError(thrown)
  const { status, message } = publicError(error.toJSON())
  if (status < 500 && message === error.message) return
  log({ level: 'error', message: messageOf(error), code: error.code, ...facts })
}
