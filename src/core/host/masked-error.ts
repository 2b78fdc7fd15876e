import { inspect } from 'node:util'
import type { HostError } from '@braidwork/plugin'
import { messageOf, withFacts, withMessage } from '@braidwork/plugin/internal'
import { isError } from '../node-errors.ts'

/** How much of an error's cause is searched for secrets. */
const SHOWN = { depth: 6, maxArrayLength: 1000, maxStringLength: 100_000 } as const

/** Masks secrets in an error's message. A cause that contains a secret is replaced by its name, message and stack. */
export function maskedError(error: HostError, mask: (text: string) => string): HostError {
  const { cause } = error
  const masked = withMessage(error, mask(error.message))
  if (typeof cause !== 'object' || cause === null) return masked
  const shown = textOf(cause)
  return mask(shown) === shown ? masked : withFacts(masked, { cause: maskedCause(cause, mask) })
}

function maskedCause(cause: object, mask: (text: string) => string): Error {
  const { name = 'Error', stack = '' } = readable(cause)
  const masked = new Error(mask(messageOf(cause)))
  return Object.assign(masked, { name: mask(name), stack: mask(stack) })
}

/** The name and the stack of an error, unless they are getters that throw. */
function readable(cause: object): { readonly name?: string; readonly stack?: string } {
  try {
    return isError(cause) ? { name: String(cause.name), stack: String(cause.stack) } : {}
  } catch {
    return {}
  }
}

/** Everything that a log may print of a value. */
function textOf(value: object): string {
  try {
    return inspect(value, SHOWN)
  } catch {
    // A custom inspect function may throw.
    return messageOf(value)
  }
}
