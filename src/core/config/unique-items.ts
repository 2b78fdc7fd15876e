import type { KeywordDefinition } from 'ajv'
import { canonical } from './canonical.ts'

/** Replaces ajv's `uniqueItems`, which compares all pairs and takes minutes for a long list of objects. */
export const UNIQUE_ITEMS = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: { message: 'must not have equal items' },
  validate: (isAsked: boolean, items: readonly unknown[]) =>
    !isAsked || new Set(items.map(canonical)).size === items.length,
} as const satisfies KeywordDefinition
