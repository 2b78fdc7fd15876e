import fc from 'fast-check'
import { isObject, type JsonObject } from '../../../src/plugin/events/index.ts'

const NAMES = ['a', 'b', 'c', 'constructor', 'some-name', 'toString']
const WORDS = fc.record(
  {
    title: fc.constant('Title'),
    description: fc.constant('What it is.'),
    default: fc.constant(null),
  },
  { requiredKeys: [] },
)
const simple = [
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 3, max: 9 }),
      format: fc.constantFrom('uri', 'date-time', 'email', 'made-up'),
      pattern: fc.constantFrom('^[a-z]*$', '(?=a)', '^(a+)+$', '\\bx'),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constantFrom('number', 'integer'),
      minimum: fc.integer({ min: -3, max: 3 }),
      exclusiveMaximum: fc.integer({ min: 4, max: 9 }),
      multipleOf: fc.constantFrom(1, 2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.constantFrom(
    { type: 'boolean' },
    { type: 'null' },
    { enum: ['x', 'y', null] },
    { enum: [1, 'two', false] },
    { const: 'only' },
    { const: 3 },
    { type: ['string', 'null'] },
    { type: ['string', 'number'], minLength: 2, minimum: 1 },
    { type: 'string', enum: ['p', 'q'] },
  ),
]
const odd = fc.constantFrom<unknown>(
  true,
  {},
  { enum: [{ a: 1 }] },
  { type: 'object' },
  { type: 'object', additionalProperties: { type: 'string' } },
  { type: 'object', patternProperties: { '^x': { type: 'string' } } },
  { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], maxItems: 2 },
  { type: 'array', prefixItems: [{ type: 'string' }], items: false },
  { not: { type: 'string' } },
  { properties: { a: { type: 'string' } } },
)

const { schema } = fc.letrec<{ schema: unknown; object: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...simple) },
    { weight: 1, arbitrary: odd },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ $ref: '#/$defs/N' }, { $ref: '#/$defs/L' }, { $ref: '#' }),
    },
  ),
  object: fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), tie('schema'), { maxKeys: 3 }),
      required: fc.subarray(['a', 'b']),
      additionalProperties: fc.constantFrom(undefined, undefined, false, true),
    })
    .map(({ properties, required, additionalProperties }) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    })),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('leaf'),
    tie('object'),
    fc
      .tuple(tie('schema'), WORDS)
      .map(([one, words]) => (isObject(one) ? { ...one, ...words } : one)),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(2) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.tuple(tie('object'), tie('object')).map((both) => ({ allOf: both })),
    tie('object').map((one) => ({ ...(one as JsonObject), uniqueItems: true, minProperties: 1 })),
  ),
}))

const DEFINITIONS = {
  N: {
    type: 'object',
    properties: {
      v: { type: 'string' },
      next: { anyOf: [{ $ref: '#/$defs/N' }, { type: 'null' }] },
    },
    required: ['v'],
  },
  L: {
    type: 'object',
    properties: { n: { type: 'number' } },
    required: ['n'],
    additionalProperties: false,
  },
}

/** Schemas of arguments: objects of all that JSON Schema has, references and recursion among it. */
export const ARGUMENTS: fc.Arbitrary<JsonObject> = fc
  .record({
    properties: fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 4 }),
    required: fc.subarray(NAMES),
    isClosed: fc.boolean(),
  })
  .map(({ properties, required, isClosed }) => ({
    type: 'object',
    properties,
    required: required.filter((name) => Object.hasOwn(properties, name)),
    ...(isClosed ? { additionalProperties: false } : {}),
    $defs: DEFINITIONS,
  }))

/** Values that a lowered schema is likely to take. */
export function valuesOf(given: JsonObject, root: JsonObject, depth = 0): fc.Arbitrary<unknown> {
  const { $ref: reference, anyOf, enum: values, type } = given
  // Most likely no value of it; recursion has to end somewhere.
  if (depth > 8) return fc.constantFrom<unknown>(null, [], 'a', 1)
  if (typeof reference === 'string') {
    const name = reference.replace('#/$defs/', '')
    return valuesOf((root['$defs'] as { [name: string]: JsonObject })[name] ?? {}, root, depth + 1)
  }
  if (Array.isArray(anyOf)) return branchOf(anyOf as JsonObject[], root, depth)
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...(values as unknown[]))
  const types = [type].flat() as string[]
  return fc.oneof(...types.map((one) => typedValue(one, given, root, depth)))
}

/** Deep down the plainest branch, so that recursion ends. */
function branchOf(branches: readonly JsonObject[], root: JsonObject, depth: number) {
  const plain = branches.filter((one) => !('$ref' in one) && one['type'] !== 'object')
  const offered = depth > 3 && plain.length > 0 ? plain : branches
  return fc.oneof(...offered.map((branch) => valuesOf(branch, root, depth + 1)))
}

function typedValue(type: string, schema: JsonObject, root: JsonObject, depth: number) {
  const { properties, required, items, minItems } = schema
  if (type === 'object') {
    const entries = Object.entries(isObject(properties) ? properties : {})
    const values = entries.map(([name, one]) => [
      name,
      valuesOf(one as JsonObject, root, depth + 1),
    ])
    const needed = (required ?? []) as string[]
    return fc.record(Object.fromEntries(values) as { [name: string]: fc.Arbitrary<unknown> }, {
      requiredKeys: needed as never[],
    })
  }
  if (type === 'array') {
    const least = Number(minItems ?? 0)
    return fc.array(valuesOf(items as JsonObject, root, depth + 1), {
      minLength: least,
      maxLength: least + 1,
    })
  }
  if (type === 'number' || type === 'integer') return fc.integer({ min: -4, max: 10 })
  if (type === 'boolean') return fc.boolean()
  return type === 'null' ? fc.constant(null) : fc.constantFrom('', 'a', 'aaaa', 'xyz')
}
