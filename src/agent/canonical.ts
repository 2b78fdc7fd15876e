import { isObject } from '@braidwork/plugin'

/** Whether two lists of JSON values are equal, whatever the order of the keys of their objects. */
export function isSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && (left.length === 0 || canonical(left) === canonical(right))
}

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
