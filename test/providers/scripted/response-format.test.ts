import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { ask, configOf } from './ask.ts'

type Schema = { readonly [key: string]: unknown }

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': /^\d{4}-\d\d-\d\dT/ } })

async function answerTo(text: string, schema: Schema): Promise<unknown> {
  const format = { type: 'json-schema', schema } as const
  return JSON.parse(
    (await ask(text, configOf({}, { response_format: format, tool_choice: 'none' }))).text,
  )
}

const string = { type: 'string' }
const integer = { type: 'integer' }

describe('response format of the scripted provider', () => {
  it('fills a schema from the request where it can', async () => {
    const schema = {
      type: 'object',
      properties: { name: string, age: integer, nick: string, role: { enum: ['admin', 'user'] } },
      required: ['name', 'age', 'role'],
    }
    expect(await answerTo('name: Ada, age: 36, role: user', schema)).to.deep.equal({
      name: 'Ada',
      age: 36,
      role: 'user',
    })
  })

  it('puts the answer where a schema asks for one', async () => {
    const schema = { type: 'object', properties: { answer: string }, required: ['answer'] }
    expect(await answerTo('My name is Ada.', schema)).to.deep.equal({
      answer: 'Noted. Your name is Ada.',
    })
  })

  it('is an object with the answer where no schema is given', async () => {
    const { text } = await ask(
      'My name is Ada.',
      configOf({}, { response_format: { type: 'json' } }),
    )
    expect(JSON.parse(text)).to.deep.equal({ answer: 'Noted. Your name is Ada.' })
  })

  const schemas: readonly Schema[] = [
    string,
    integer,
    { type: 'null' },
    { type: ['null', 'boolean'] },
    { const: { a: 1 } },
    { enum: [3, 4] },
    { type: 'string', minLength: 50 },
    { type: 'string', maxLength: 3 },
    { type: 'string', format: 'date-time' },
    { type: 'string', pattern: '^a+$', examples: ['aaa'] },
    { type: 'integer', minimum: 5, maximum: 6 },
    { type: 'integer', exclusiveMinimum: 5, maximum: 6 },
    { type: 'integer', maximum: -5 },
    { type: 'integer', exclusiveMaximum: -5 },
    { type: 'integer', minimum: 5, multipleOf: 7 },
    { type: 'number', exclusiveMinimum: 0.5, exclusiveMaximum: 0.6 },
    { type: 'number', exclusiveMaximum: 0 },
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'integer', maximum: -1, multipleOf: 3 },
    { type: 'integer', minimum: 0, exclusiveMaximum: 1 },
    { type: 'array', items: integer, minItems: 3, uniqueItems: true },
    { type: 'array', items: string, minItems: 2, uniqueItems: true },
    { type: 'array', prefixItems: [integer, string], minItems: 2, items: false },
    { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: integer }, required: ['a'] }] },
    {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
        integer,
      ],
    },
    {
      allOf: [
        { type: 'object', properties: { a: integer }, required: ['a'] },
        { properties: { b: string }, required: ['b'] },
      ],
    },
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      required: ['tree'],
      $defs: {
        Node: {
          type: 'object',
          properties: {
            value: integer,
            next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] },
          },
          required: ['value'],
        },
      },
    },
    {
      type: 'object',
      properties: { a: { type: 'object', properties: { b: integer }, required: ['b'] } },
      required: ['a', 'c'],
    },
    { type: 'object', properties: { age: { type: 'integer', minimum: 99 } }, required: ['age'] },
    { type: 'object', properties: { age: { type: 'integer', multipleOf: 7 } }, required: ['age'] },
    { type: 'object', properties: { name: { type: 'string', maxLength: 2 } }, required: ['name'] },
  ]
  for (const schema of schemas) {
    it(`is met for ${JSON.stringify(schema)}`, async () => {
      const validate = ajv.compile(schema)
      const value = await answerTo('name: Ada, age: 36', schema)
      expect(
        validate(value),
        `${JSON.stringify(value)} ${JSON.stringify(validate.errors)}`,
      ).to.equal(true)
    })
  }

  it('has multiples of a fraction as people write them', async () => {
    const rate = (more: object) => answerTo('rate: 0.7', { ...RATE, ...more })
    const RATE = { type: 'object', required: ['rate'] }
    const given = { properties: { rate: { type: 'number', multipleOf: 0.1 } } }
    expect(await rate(given)).to.deep.equal({ rate: 0.7 })
    const made = { properties: { rate: { type: 'number', minimum: 2.25, multipleOf: 0.1 } } }
    expect(await rate(made)).to.deep.equal({ rate: 2.3 })
    const below = { properties: { rate: { type: 'number', maximum: -0.25, multipleOf: 0.1 } } }
    expect(await rate(below)).to.deep.equal({ rate: -0.3 })
  })

  it('ends for a schema that needs itself', async () => {
    const value = await answerTo('Go', {
      $ref: '#/$defs/Endless',
      $defs: {
        Endless: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Endless' } },
          required: ['next'],
        },
      },
    })
    expect(value).to.be.an('object')
    expect(await answerTo('Go', { $ref: '#' })).to.equal(null)
  })
})
