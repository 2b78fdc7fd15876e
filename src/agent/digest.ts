import { createHash } from 'node:crypto'
import { canonical } from '@braidwork/core/internal'

/** The SHA-256 hash of a JSON value, in hexadecimal. It does not depend on the order of keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}
