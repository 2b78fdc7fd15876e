import type { KeywordDefinition } from 'ajv'

/** Replaces ajv's `uniqueItems`, which compares all pairs and takes minutes for a long list of objects. */
export const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must not have equal items' },
  validate: (isAsked: boolean, items: readonly unknown[]) =>
    !isAsked || new Set(items.map(canonical)).size === items.length,
} as const satisfies KeywordDefinition

/** A text that is the same for equal values. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : inner,
  )
}
