import type { KeywordDefinition } from 'ajv'

/** ajv compares each item with each other: with a long list from a model, for minutes. */
export const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must not have equal items' },
  validate: (isAsked: boolean, items: readonly unknown[]) =>
    !isAsked || new Set(items.map(canonical)).size === items.length,
} as const satisfies KeywordDefinition

/** A text that equal values have in common. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : inner,
  )
}
