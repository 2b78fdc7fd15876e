import { findJsonFault } from '@braidwork/plugin'

/**
 * A value of a program as the providers of the AI SDK send it: as JSON, in which a date is a text, an instance of a class
 * has its fields and NaN is null. A value that no message can hold even so, such as one with a key "__proto__", is its
 * JSON text.
 * @throws what `JSON.stringify` throws, such as for a value that contains itself
 */
export function asJson(value: unknown): unknown {
  if (isKept(value)) return value
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  ) as string | undefined
  if (text === undefined) return null
  const plain: unknown = JSON.parse(text)
  return isKept(plain) ? plain : text
}

/** Whether a part of a message can hold a value. */
function isKept(value: unknown): boolean {
  return value !== undefined && !findJsonFault({ parts: [{ value }] })
}
