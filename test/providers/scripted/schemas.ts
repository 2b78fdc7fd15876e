import fc from 'fast-check'

export type Schema = { readonly [key: string]: unknown }

const name = fc.constantFrom('name', 'age', 'city', 'query', 'kind', 'count', 'answer', 'time_zone')

const numbers = fc
  .record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
    span: fc.option(fc.integer({ min: 8, max: 40 }), { nil: undefined }),
    multipleOf: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    isExclusive: fc.boolean(),
  })
  .map(({ type, minimum, span, multipleOf, isExclusive }) =>
    defined({
      type,
      [isExclusive ? 'exclusiveMinimum' : 'minimum']: minimum,
      [isExclusive ? 'exclusiveMaximum' : 'maximum']:
        span === undefined ? undefined : (minimum ?? -30) + span,
      multipleOf,
    }),
  )

const strings = fc
  .record({
    minLength: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    more: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    format: fc.constantFrom(undefined, undefined, 'date'),
  })
  .map(({ minLength, more, format }) =>
    format
      ? { type: 'string', format }
      : defined({
          type: 'string',
          minLength,
          maxLength: more === undefined ? undefined : (minLength ?? 0) + more,
        }),
  )

/** A schema without others in it. */
export const leaf: fc.Arbitrary<Schema> = fc.oneof(
  numbers,
  strings,
  fc.constantFrom<Schema>(
    { type: 'boolean' },
    { type: 'null' },
    { enum: ['a', 'b'] },
    { const: 3 },
    {},
    { type: ['string', 'null'] },
  ),
)

/** Schemas whose answers the scripted provider can invent. */
export function schemas(depth: number): fc.Arbitrary<Schema> {
  if (depth === 0) return leaf
  const inner = schemas(depth - 1)
  const list = fc.record({
    type: fc.constant('array'),
    items: inner,
    minItems: fc.integer({ min: 0, max: 3 }),
  })
  const choice = fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf }))
  const all = fc
    .tuple(objects(inner), objects(inner))
    .map(([first, second]) => ({ allOf: [first, disjoint(second)] }))
  return fc.oneof(leaf, objects(inner), list, choice, all)
}

/** Schemas of arguments. */
export function objects(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .tuple(
      fc.dictionary(name, inner, { maxKeys: 4, noNullPrototype: true }),
      fc.infiniteStream(fc.boolean()),
    )
    .map(([properties, picks]) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter(() => picks.next().value),
    }))
}

/** Other names, so that no two schemas speak of one property. */
function disjoint(schema: Schema): Schema {
  const renamed = Object.entries(schema['properties'] as Schema).map(([key, value]) => [
    `other_${key}`,
    value,
  ])
  const required = (schema['required'] as string[]).map((key) => `other_${key}`)
  return { ...schema, properties: Object.fromEntries(renamed), required }
}

function defined(fields: Schema): Schema {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
