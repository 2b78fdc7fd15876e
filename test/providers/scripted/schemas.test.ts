import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { ask, configOf, tool } from './ask.ts'

type Schema = { readonly [key: string]: unknown }

const ajv = new Ajv2020({ strict: false, formats: { date: /^\d{4}-\d\d-\d\d$/ } })
const name = fc.constantFrom('name', 'age', 'city', 'query', 'kind', 'count', 'answer', 'time_zone')
const text = fc
  .array(
    fc.constantFrom(
      'name: Ada',
      'age: 36',
      'in Paris',
      'kind = b',
      'use note',
      'count: 7',
      '"quoted"',
      'time',
      'what is',
      '2 * 3',
      'city: Rome,',
      '12.5',
      'yes',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((words) => words.join(' '))

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

const leaf: fc.Arbitrary<Schema> = fc.oneof(
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

function schemas(depth: number): fc.Arbitrary<Schema> {
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

function objects(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
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

function expectValid(schema: Schema, value: unknown): void {
  const validate = ajv.compile(schema)
  const shown = () => JSON.stringify({ schema, value, errors: validate.errors })
  expect(validate(value), validate.errors ? shown() : '').to.equal(true)
}

describe('schemas, filled by the scripted provider', () => {
  it('are met by every answer in their format', async () => {
    await fc.assert(
      fc.asyncProperty(schemas(2), text, async (schema, request) => {
        const config = configOf(
          {},
          { response_format: { type: 'json-schema', schema }, tool_choice: 'none' },
        )
        expectValid(schema, JSON.parse((await ask(request, config)).text))
      }),
      { numRuns: 200 },
    )
  })

  it('are met by the input of every call, demanded or not', async () => {
    const choices = fc.constantFrom('auto' as const, 'required' as const, { tool: 'take_note' })
    await fc.assert(
      fc.asyncProperty(objects(leaf), text, choices, async (schema, request, tool_choice) => {
        const tools = [{ ...tool('take_note'), input_schema: schema }]
        const { calls } = await ask(request, configOf({}, { tool_choice }), { tools })
        for (const call of calls.filter((own) => own.name === 'take_note'))
          expectValid(schema, call.input)
      }),
      { numRuns: 200 },
    )
  })
})
