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
