import { createHash } from 'node:crypto'
import { isObject } from '@braidwork/plugin'

/** Serializes a value as JSON with sorted keys, because a storage may return an object's keys in another order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .sort()
            .map((key) => [key, inner[key]]),
        )
      : inner,
  )
}

/** The SHA-256 hash of a JSON value, in hexadecimal. It does not depend on the order of keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}
