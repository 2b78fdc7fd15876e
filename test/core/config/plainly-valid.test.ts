import { expect } from 'chai'
import fc from 'fast-check'
import { CONFIG_SCHEMA, validatorOf } from '../../../src/core/config/index.ts'
import { isPlain, isPlainlyValid } from '../../../src/core/config/plainly-valid.ts'

type Schema = { readonly [key: string]: unknown }

const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'é', '👍', '👍👍', 'constructor', '__proto__'),
  fc.constantFrom(-1, 0, -0, 0.5, 1, 2, 1e21),
  fc.boolean(),
  fc.constant(null),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('p', 'q', 'r', 'constructor'), tie('any'), { maxKeys: 3 }),
  ),
})).any

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
const limit = fc.constantFrom(-1, 0, 0.5, 1, 2)
const count = fc.integer({ min: 0, max: 3 })
const keywords = (schema: fc.Arbitrary<unknown>): fc.Arbitrary<Schema> =>
  fc.record(
    {
      type: fc.oneof(fc.constantFrom(...TYPES), fc.subarray([...TYPES], { minLength: 1 })),
      const: scalar,
      enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
      minimum: limit,
      maximum: limit,
      exclusiveMinimum: limit,
      exclusiveMaximum: limit,
      minLength: count,
      maxLength: count,
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      items: schema,
      required: fc.subarray(['p', 'q', 'constructor']),
      properties: fc.record({ p: schema, constructor: schema }, { requiredKeys: ['p'] }),
      additionalProperties: schema,
      propertyNames: schema,
      anyOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
      allOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
      description: fc.constant('Something'),
      'x-order': fc.constant(1),
      // Not plain: these may be there too, and then nothing is said of a value that they are about.
      pattern: fc.constant('^a'),
      multipleOf: fc.constant(2),
      minProperties: count,
      not: schema,
    },
    { requiredKeys: [] },
  )
/** Schemas that ajv compiles, most of one or two keywords. */
const schema = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    fc.boolean(),
    keywords(fc.boolean()).chain(fewOf),
    keywords(tie('any')).chain(fewOf),
  ),
})).any

function fewOf(all: Schema): fc.Arbitrary<Schema> {
  const few = fc.subarray(Object.keys(all), { maxLength: 3 })
  return few.map((keys) => Object.fromEntries(keys.map((key) => [key, all[key]])))
}

describe('a value that is seen to be valid', () => {
  it('is valid for the compiled schema too', async () => {
    let seen = 0
    const property = fc.asyncProperty(schema.filter(isSchema), value, async (given, data) => {
      if (!isPlainlyValid(given, data)) return
      seen++
      expect((await validatorOf(given))(data)).to.equal(undefined)
    })
    await fc.assert(property, { numRuns: 1_000 })
    expect(seen, 'values that were seen to be valid').to.be.above(100)
  })

  const PLAIN: readonly (readonly [schema: Schema, valid: unknown, others: readonly unknown[]])[] =
    [
      [{ type: 'string', minLength: 1, maxLength: 2 }, 'a', ['', 'abc', 1]],
      [{ type: 'integer', minimum: 1, exclusiveMaximum: 3 }, 2, [0, 3, 1.5, Number.NaN, '1']],
      [{ type: ['number', 'null'] }, null, [Number.POSITIVE_INFINITY, '1']],
      [{ enum: ['a', 1, null] }, 1, ['b', {}, undefined]],
      [{ type: 'array', items: { const: 'a' }, maxItems: 2 }, ['a'], [['b'], ['a', 'a', 'a'], {}]],
      [
        { uniqueItems: true },
        ['a', 1, '1'],
        [
          ['a', 'a'],
          [{}, {}],
        ],
      ],
      [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, [1]],
      [{ allOf: [{ type: 'string' }, { maxLength: 1 }] }, 'a', ['ab', 1]],
      [
        {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
        { city: 'Rome' },
        [{}, { city: 1 }, { city: 'Rome', other: 1 }, { city: undefined }, []],
      ],
      [{ propertyNames: { maxLength: 1 }, additionalProperties: true }, { a: 1 }, [{ ab: 1 }]],
    ]
  for (const [plain, valid, others] of PLAIN) {
    it(`is ${JSON.stringify(valid)} for ${JSON.stringify(plain)}`, () => {
      expect(isPlain(plain)).to.equal(true)
      expect(isPlainlyValid(plain, valid)).to.equal(true)
      for (const other of others)
        expect(isPlainlyValid(plain, other), JSON.stringify(other)).to.equal(false)
    })
  }

  it('is a common config', () => {
    const config = { provider: 'a', model: 'm', settings: { a: { x: 1 } }, enabled_plugins: ['b'] }
    expect(isPlainlyValid(CONFIG_SCHEMA, config)).to.equal(true)
    expect(isPlainlyValid(CONFIG_SCHEMA, { ...config, model: 1 })).to.equal(false)
  })
})

describe('a schema that need not be compiled', () => {
  const OTHERS: readonly Schema[] = [
    { type: 'text' },
    { type: [] },
    { enum: [] },
    { enum: [{}] },
    { pattern: '(' },
    { properties: { a: { pattern: '^a' } } },
    { minLength: -1 },
    { minimum: '1' },
    { required: 'a' },
    { items: [{ type: 'string' }] },
    { anyOf: [] },
    { $ref: '#/$defs/a' },
    { properties: { a: { $schema: 'https://json-schema.org/draft/2020-12/schema' } } },
    { properties: { a: 1 } },
    { constructor: 1 },
  ]
  for (const other of OTHERS) {
    it(`is not ${JSON.stringify(other)}`, () => {
      expect(isPlain(other)).to.equal(false)
    })
  }

  it('is none that contains itself', () => {
    const own: { [key: string]: unknown } = { type: 'object' }
    own['properties'] = { own }
    expect(isPlain(own)).to.equal(false)
  })
})

function isSchema(one: unknown): one is Schema {
  return typeof one === 'object'
}
