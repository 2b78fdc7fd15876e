import fc from 'fast-check'
import type { JsonObject } from '../../src/plugin/index.ts'

/** Values for a schema: those that its schema names, and values of every type. */
function valuesFor(schema: unknown): fc.Arbitrary<unknown> {
  const { enum: choices = [], default: usual, items, properties } = (schema ?? {}) as JsonObject
  const named = [...(choices as readonly unknown[]), ...(usual === undefined ? [] : [usual])]
  const texts = ['', 'a', 'x'.repeat(70), 'https://example.com/v1', '<b>', '\u{1f600}']
  const others = fc.constantFrom<unknown>(...texts, 0, 1, -1, 0.5, 1e9, true, null, [], {}, [''])
  const inner = items
    ? [fc.array(valuesFor(items), { maxLength: 3 }), pairsOf(valuesFor(items))]
    : []
  const object = properties ? [objectFor(schema as JsonObject)] : []
  return fc.oneof(others, ...named.map((value) => fc.constant(value)), ...inner, ...object)
}

/** Two equal items. */
function pairsOf(item: fc.Arbitrary<unknown>): fc.Arbitrary<readonly unknown[]> {
  return item.map((one) => [one, one])
}

/** Objects with any of a schema's properties, and at times with one that it does not have. */
export function objectFor({ properties = {} }: JsonObject): fc.Arbitrary<unknown> {
  const known = Object.entries(properties as JsonObject).map(
    ([name, schema]) => [name, valuesFor(schema)] as const,
  )
  return fc.record(Object.fromEntries([...known, ['unknown_key', fc.constant(1)] as const]), {
    requiredKeys: [],
  })
}
