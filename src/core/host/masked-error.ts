import { inspect } from 'node:util'
import type { HostError } from '@braidwork/plugin'
import { messageOf, withCause, withMessage } from '@braidwork/plugin/internal'

/** How much of what stands behind an error is looked through. */
const SHOWN = { depth: 6, maxArrayLength: 1000, maxStringLength: 100_000 } as const

/** An error without the secrets in its message; a cause that shows one is replaced by what it says. */
export function maskedError(error: HostError, mask: (text: string) => string): HostError {
  const { cause } = error
  const masked = withMessage(error, mask(error.message))
  if (typeof cause !== 'object' || cause === null) return masked
  const shown = textOf(cause)
  return mask(shown) === shown ? masked : withCause(masked, new Error(mask(messageOf(cause))))
}

/** All that a log may show of a value. */
function textOf(value: object): string {
  try {
    return inspect(value, SHOWN)
  } catch {
    // What shows itself in a way of its own may fail to.
    return messageOf(value)
  }
}
