import { isObject } from '@braidwork/plugin'

/** Serializes a value as JSON with sorted keys, because equal values may have their keys in another order. */
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
