import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema'
import { expect } from 'chai'
import fc from 'fast-check'
import { toStrictJsonSchema } from 'openai/lib/transform'
import { validatorOf } from '../../../src/core/config/json-schema.ts'
import {
  lowering,
  TOOL_SCHEMA_FORMATS,
  withoutNulls,
} from '../../../src/core/tool-schemas/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { propertyRuns, sampled } from '../../helpers/cases.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { anthropicFaults } from './rules-anthropic.ts'
import { fromGoogle, googleFaults } from './rules-google.ts'
import { openaiFaults } from './rules-openai.ts'
import { ARGUMENTS, valuesOf } from './schemas.ts'

const RUNS = propertyRuns(300, 10)

const object = (properties: object, required: string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const openai = (schema: object) => lowering('openai-strict')(schema as JsonObject)
const anthropic = (schema: object) => lowering('anthropic')(schema as JsonObject)
const google = (schema: object) => lowering('google')(schema as JsonObject)
const lostAt = (lowered: ReturnType<typeof openai>) =>
  lowered.lost.map(({ pointer, keyword, effect }) => `${pointer} ${keyword} ${effect}`)

const isWider = (lost: ReturnType<typeof openai>['lost']) =>
  lost.some(({ effect }) => effect === 'wider')
/** A pattern that looks around is one that the host has no engine for. */
const isUncheckable = (schema: object) => JSON.stringify(schema).includes('(?=')

describe('tool schemas for OpenAI strict', () => {
  it('keep all rules of strict mode, whatever the schema, or say why there is no strict one', () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        const { strict, input_schema, lost } = openai(schema)
        if (strict) expect(openaiFaults(input_schema)).to.deep.equal([])
        else expect(lost).not.to.deep.equal([])
        if (!strict) expect(input_schema).to.deep.equal(schema)
      }),
      { numRuns: RUNS },
    )
  })

  it("pass OpenAI's own helper, which changes nothing of them", () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        const { strict, input_schema } = openai(schema)
        if (strict) expect(toStrictJsonSchema(input_schema)).to.deep.equal(input_schema)
      }),
      { numRuns: RUNS },
    )
  })

  it('have a member that may be absent required and nullable, in every form of schema', () => {
    const { input_schema: schema, lost } = openai(
      object(
        {
          text: { type: 'string' },
          choice: { enum: ['x', 'y'] },
          list: { type: 'array', items: { type: 'string' } },
          either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
          open: { type: ['string', 'null'] },
        },
        [],
      ),
    )
    expect(schema['properties']).to.deep.equal({
      text: { type: ['string', 'null'] },
      choice: { type: ['string', 'null'], enum: ['x', 'y', null] },
      list: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      open: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    })
    expect(schema['required']).to.deep.equal(['text', 'choice', 'list', 'either', 'open'])
    expect(lost.map(({ keyword, effect }) => `${keyword} ${effect}`)).to.deep.equal(
      Array(5).fill('required same'),
    )
  })

  it('are not strict, and stay as they are, where strict mode has no words for them', () => {
    const cases: readonly [unknown, string][] = [
      [
        { type: 'object', additionalProperties: { type: 'string' } },
        '/properties/x additionalProperties same',
      ],
      [{ type: 'object' }, '/properties/x additionalProperties same'],
      [{}, '/properties/x type same'],
      [{ type: 'array' }, '/properties/x/items type same'],
      [{ enum: [{ a: 1 }] }, '/properties/x enum same'],
    ]
    for (const [inner, reason] of cases) {
      const schema = object({ x: inner })
      const lowered = openai(schema)
      expect(lowered).to.deep.include({ strict: false, input_schema: schema })
      expect(lostAt(lowered)).to.deep.equal([reason])
    }
  })

  it('are not strict where the root is no plain object, which then is what APIs take', () => {
    const union = {
      anyOf: [
        object({ a: { type: 'string' } }),
        object({ a: { type: 'number' }, b: { type: 'null' } }),
      ],
    }
    const lowered = openai(union)
    expect(lowered.strict).to.equal(false)
    expect(lostAt(lowered)).to.deep.equal([' anyOf wider'])
    expect(lowered.input_schema).to.deep.include({
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] }, b: { type: 'null' } },
      required: ['a'],
    })
    const text = openai({ type: 'string' })
    expect(text).to.deep.include({ strict: false, input_schema: { type: 'string' } })
    expect(lostAt(text)).to.deep.equal([' type same'])
  })

  it('are strict for a root that is a reference, or put together by allOf', () => {
    const referring = { $ref: '#/$defs/In', $defs: { In: object({ a: { type: 'string' } }) } }
    const joined = {
      allOf: [
        object({ a: { type: 'string' } }),
        { type: 'object', properties: { a: { minLength: 2 } } },
      ],
    }
    for (const schema of [referring, joined]) {
      const { strict, input_schema: lowered } = openai(schema)
      expect(strict).to.equal(true)
      expect(lowered).to.deep.include({
        type: 'object',
        required: ['a'],
        additionalProperties: false,
      })
    }
  })

  it('take recursion, and tell in words what has no keyword', () => {
    const node = object(
      { text: { type: 'string', minLength: 2, default: 'x' }, next: { $ref: '#' } },
      ['text'],
    )
    const { strict, input_schema: schema } = openai(node)
    expect(strict).to.equal(true)
    const { text, next } = schema['properties'] as { [name: string]: unknown }
    expect(text).to.deep.equal({ type: 'string', description: '{minLength: 2, default: "x"}' })
    expect(next).to.deep.equal({ anyOf: [{ $ref: '#/$defs/root' }, { type: 'null' }] })
  })

  it('hold the limits of the API', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5001 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    let deep: object = { type: 'string' }
    for (let level = 0; level < 11; level++) deep = object({ x: deep })
    const values = Array.from({ length: 1001 }, (_, at) => at)
    for (const schema of [object(many), deep, object({ x: { enum: values } })]) {
      const { strict, lost } = openai(schema)
      expect([strict, lost.map(({ reason }) => reason).join()]).to.satisfy(
        ([is, why]: [boolean, string]) => !is && why.includes('than'),
      )
    }
    expect(openai(object(Object.fromEntries(Object.entries(many).slice(1)))).strict).to.equal(true)
  })

  it('take a null out of an object that lacks what another branch requires', () => {
    const leaf = { type: 'object', properties: { b: { type: 'object' } } }
    const schema = {
      ...object({ b: { enum: ['x', null] }, a: { anyOf: [leaf, { $ref: '#' }] } }),
      required: ['a'],
    }
    expect(withoutNulls(schema, { a: { b: null } })).to.deep.equal({ a: {} })
    expect(withoutNulls(schema, { a: { b: null, a: { b: null } } })).to.deep.equal({
      a: { b: null, a: {} },
    })
  })

  it('say which inputs they take: those of the tool itself, nulls for what is absent taken out', async () => {
    await fc.assert(
      fc.asyncProperty(ARGUMENTS, async (schema) => {
        const { strict, input_schema, lost } = openai(schema)
        if (!strict || isWider(lost) || isUncheckable(schema)) return
        const [own, lowered] = [await validatorOf(schema), await validatorOf(input_schema)]
        for (const value of fc.sample(valuesOf(input_schema, input_schema), 10)) {
          if (lowered(value)) continue
          expect(own(withoutNulls(schema, value)), JSON.stringify(value)).to.equal(undefined)
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('tool schemas for Anthropic', () => {
  it('keep all rules of strict tools, whatever the schema, or say why they are not strict', () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        const { strict, input_schema, lost } = anthropic(schema)
        if (strict) expect(anthropicFaults(input_schema)).to.deep.equal([])
        else expect(lost).not.to.deep.equal([])
      }),
      { numRuns: RUNS },
    )
  })

  it("pass Anthropic's own helper, which changes nothing of them", () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        const { strict, input_schema } = anthropic(schema)
        if (strict) expect(transformJSONSchema(input_schema)).to.deep.equal(input_schema)
      }),
      { numRuns: RUNS },
    )
  })

  it('leave what may be absent so, and are not strict where they refer to themselves', () => {
    const { strict, input_schema: schema } = anthropic(object({ a: { type: 'string' } }, []))
    expect([strict, schema['required']]).to.deep.equal([true, []])
    const circle = object({ next: { $ref: '#' } }, [])
    expect(anthropic(circle)).to.deep.include({ strict: false, input_schema: circle })
    expect(lostAt(anthropic(circle))).to.deep.equal(['/properties/next $ref same'])
  })

  it('leave out arguments whose names the API refuses', () => {
    const lowered = anthropic(object({ 'a b': { type: 'string' }, c: { type: 'string' } }))
    expect(lowered.strict).to.equal(false)
    expect(lowered.input_schema).to.deep.include({
      required: ['c'],
      properties: { c: { type: 'string' } },
    })
    expect(lowered.lost[0]).to.deep.include({ pointer: '/properties', effect: 'wider' })
  })

  it('are strict as long as the request has room for strict tools', () => {
    const lower = lowering('anthropic')
    const strict = Array.from({ length: 21 }, () => lower(object({ a: { type: 'string' } })).strict)
    expect(strict.lastIndexOf(true)).to.equal(19)
    const optional = Object.fromEntries(
      Array.from({ length: 13 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    const another = lowering('anthropic')
    expect([1, 2].map(() => another(object(optional, [])).strict)).to.deep.equal([true, false])
    const unions = Object.fromEntries(
      Array.from({ length: 17 }, (_, at) => [`p${at}`, { type: ['string', 'null'] }]),
    )
    expect(anthropic(object(unions)).strict).to.equal(false)
  })

  it('say which inputs they take: those of the tool itself', async () => {
    await fc.assert(
      fc.asyncProperty(ARGUMENTS, async (schema) => {
        const { strict, input_schema, lost } = anthropic(schema)
        if (!strict || isWider(lost) || isUncheckable(schema)) return
        const [own, lowered] = [await validatorOf(schema), await validatorOf(input_schema)]
        for (const value of fc.sample(valuesOf(input_schema, input_schema), 10)) {
          if (!lowered(value)) expect(own(value), JSON.stringify(value)).to.equal(undefined)
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('the reasons for lost keywords', () => {
  const reasonsOf = (lowered: ReturnType<typeof openai>) =>
    lowered.lost.map(({ keyword, reason, effect }) => `${keyword}: ${reason} (${effect})`)

  it('tell conditions from descriptions', () => {
    const a = { type: 'string', minLength: 2, pattern: 'a', examples: ['aa'] }
    expect(reasonsOf(anthropic(object({ a })))).to.include.members([
      'minLength: this format has no such keyword (wider)',
      'examples: this format has no place for such descriptions (same)',
    ])
  })

  it('tell that an object loses the combinations of its members', () => {
    const [a, b] = [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })]
    expect(reasonsOf(google({ anyOf: [a, b] }))).to.include(
      'anyOf: the combinations of members; the description lists them if there is room (wider)',
    )
  })
})

describe('a schema with a member that must be absent', () => {
  it('loses it for Google, and says so', () => {
    const { input_schema, lost } = google(object({ a: false, b: { type: 'string' } }, ['b']))
    expect(input_schema['properties']).to.deep.equal({ b: { type: 'STRING' } })
    expect(lost).to.deep.include({
      pointer: '',
      keyword: 'properties',
      reason: 'members that must be absent',
      effect: 'wider',
    })
  })
})

describe('a schema with several patterns for a text', () => {
  const patterns = ['^a', 'b', 'c$']
  const size = { type: 'string', allOf: patterns.map((pattern) => ({ pattern })) }
  const sizeIn = ({ input_schema }: ReturnType<typeof openai>) =>
    (input_schema['properties'] as { size: unknown }).size
  const told = '{pattern: "b", pattern: "c$"}'

  it('keeps one as a keyword and tells the model the others', () => {
    expect(sizeIn(openai(object({ size })))).to.deep.equal({
      type: 'string',
      pattern: '^a',
      description: told,
    })
    expect(sizeIn(google(object({ size })))).to.deep.equal({
      type: 'STRING',
      pattern: '^a',
      description: told,
    })
  })

  it('reports the others as lost', () => {
    const lost = '/properties/size pattern wider'
    expect(lostAt(openai(object({ size })))).to.include(lost)
    expect(lostAt(google(object({ size })))).to.include(lost)
  })
})

describe('tool schemas for Google', () => {
  it('keep the formats of texts that Google knows', () => {
    const kept = (format: string) => {
      const { input_schema } = google(object({ size: { type: 'string', format } }))
      return (input_schema['properties'] as { size: JsonObject }).size['format']
    }
    expect(['date-time', 'email'].map(kept)).to.deep.equal(['date-time', undefined])
  })

  it('have the fields of its Schema alone, whatever the schema', () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        expect(googleFaults(google(schema).input_schema)).to.deep.equal([])
      }),
      { numRuns: RUNS },
    )
  })

  it('say which inputs they take: those of the tool itself', async () => {
    await fc.assert(
      fc.asyncProperty(ARGUMENTS, async (schema) => {
        const { input_schema, lost } = google(schema)
        if (isWider(lost) || isUncheckable(schema)) return
        const plain = fromGoogle(input_schema)
        const [own, lowered] = [await validatorOf(schema), await validatorOf(plain)]
        for (const value of fc.sample(valuesOf(plain, plain), 10)) {
          if (!lowered(value)) expect(own(value), JSON.stringify(value)).to.equal(undefined)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('have all branches of a union, and say null in each of them', () => {
    const shown = (schema: object) => google(object({ x: schema })).input_schema['properties']
    const text = { type: 'string', minLength: 1 }
    const list = { type: 'array', items: { type: 'integer' } }
    const [asText, asList] = [
      { type: 'STRING', minLength: '1' },
      { type: 'ARRAY', items: { type: 'INTEGER' } },
    ]
    expect(shown({ anyOf: [text] })).to.deep.equal({ x: asText })
    expect(shown({ anyOf: [text, list] })).to.deep.equal({ x: { anyOf: [asText, asList] } })
    expect(shown({ anyOf: [text, list, { type: 'null' }] })).to.deep.equal({
      x: { anyOf: [asText, asList].map((branch) => ({ ...branch, nullable: true })) },
    })
    expect(shown({ anyOf: [text, { type: 'null' }] })).to.deep.equal({
      x: { ...asText, nullable: true },
    })
  })

  it('write references out, say null by nullable, and exact bounds of integers otherwise', () => {
    const { input_schema: schema } = google({
      type: 'object',
      properties: {
        n: { type: ['integer', 'null'], exclusiveMinimum: 0, maximum: 9 },
        tree: { $ref: '#/$defs/T' },
        choice: { enum: ['a', 'b'], description: 'Which.' },
      },
      $defs: {
        T: {
          type: 'object',
          properties: { in: { $ref: '#/$defs/T' }, v: { type: 'string', minLength: 1 } },
        },
      },
    })
    expect(schema).to.deep.equal({
      type: 'OBJECT',
      properties: {
        n: { type: 'INTEGER', nullable: true, minimum: 1, maximum: 9 },
        tree: {
          type: 'OBJECT',
          properties: { in: { type: 'OBJECT' }, v: { type: 'STRING', minLength: '1' } },
        },
        choice: { type: 'STRING', format: 'enum', enum: ['a', 'b'], description: 'Which.' },
      },
    })
  })
})

describe('tool schemas as plain JSON Schema', () => {
  it('stay the same where the root is an object, and lose nothing', () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        expect(lowering('json-schema')(schema)).to.deep.equal({ input_schema: schema, lost: [] })
      }),
    )
  })
})

describe('tool schemas that are none', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `d${at}`,
      object({
        l: { $ref: `#/$defs/d${at + 1}`, title: 'L' },
        r: { $ref: `#/$defs/d${at + 1}`, title: 'R' },
      }),
    ]),
  )
  const chain = Object.fromEntries(
    Array.from({ length: 5000 }, (_, at) => [
      `d${at}`,
      object({ next: { $ref: `#/$defs/d${at + 1}` } }),
    ]),
  )
  const looping: { [key: string]: unknown } = { type: 'object' }
  looping['properties'] = { self: looping }
  let deep: object = {}
  for (let level = 0; level < 5000; level++) deep = { properties: { x: deep } }

  const wrong = [
    [
      'a reference out of it',
      object({ a: { $ref: 'https://example.com/a.json' } }),
      '/properties/a',
    ],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/gone' } }), '/properties/a'],
    [
      'a reference to a member that every object has',
      object({ a: { $ref: '#/constructor' } }),
      '/properties/a',
    ],
    [
      'a circle of references',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/b' } },
        $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } },
      },
      '/properties/a',
    ],
    ['an unknown type', object({ a: { type: 'text' } }), '/properties/a'],
    ['a member that is no schema', object({ a: 'string' }), '/properties/a'],
    ['branches that are no list', object({ a: { anyOf: {} } }), '/properties/a'],
    ['a value that contains itself', looping, '/properties/self'],
    ['a schema nested without end', deep, undefined],
    [
      'references that multiply',
      {
        ...object({ a: { $ref: '#/$defs/d0', title: 'A' } }),
        $defs: { ...doubling, d20: { type: 'string' } },
      },
      '',
    ],
    [
      'references that lead too deep',
      { ...object({ a: { $ref: '#/$defs/d0' } }), $defs: { ...chain, d5000: { type: 'string' } } },
      undefined,
    ],
    [
      'the key __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as object,
      '/properties/__proto__',
    ],
  ] as const
  const formats = ['openai-strict', 'anthropic', 'google'] as const
  for (const [row, [what, schema, pointer]] of wrong.entries()) {
    it(`are refused: ${what}`, async () => {
      for (const format of sampled(formats, 3, row)) {
        const error = await errorOf(() => lowering(format)(schema as JsonObject))
        expect(error.code, `${format}: ${error.message}`).to.equal('TOOL_SCHEMA_INVALID')
        if (pointer !== undefined) expect(error.pointer).to.equal(pointer)
      }
    })
  }

  it('are not: 10,000 members, a pattern that explodes, references that multiply without words', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    const bare = JSON.parse(JSON.stringify(doubling).replaceAll(/,"title":"."/g, '')) as object
    const named = {
      ...object({ a: { $ref: '#/$defs/d0' } }),
      $defs: { ...bare, d20: { type: 'string' } },
    }
    const explosive = object({ a: { type: 'string', pattern: '^(a+)+$' } })
    for (const format of sampled(TOOL_SCHEMA_FORMATS, 2)) {
      for (const schema of [object(many), explosive])
        expect(lowering(format)(schema).input_schema).to.be.an('object')
    }
    expect([openai(object(many)).strict, openai(named).strict]).to.deep.equal([false, true])
    expect(openai(explosive).strict).to.equal(true)
  })
})

describe('withoutNulls', () => {
  it('takes out nulls that stand for what is absent, and no others', () => {
    const schema = {
      ...object(
        {
          a: { type: 'string' },
          b: { type: ['string', 'null'] },
          c: { type: 'string' },
          list: { type: 'array', items: { $ref: '#/$defs/In' } },
          constructor: { type: 'number' },
        },
        ['c', 'list'],
      ),
      $defs: { In: object({ x: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, []) },
    }
    const input = {
      a: null,
      b: null,
      c: null,
      list: [{ x: null }, { x: 1 }],
      constructor: null,
      more: null,
    }
    expect(withoutNulls(schema, input)).to.deep.equal({
      b: null,
      c: null,
      list: [{}, { x: 1 }],
      more: null,
    })
    expect(withoutNulls(schema, 'no object')).to.equal('no object')
  })

  it('keeps those of a member that each branch of a union requires', () => {
    const branch = (kind: string) =>
      object({ kind: { const: kind }, x: { type: 'string' } }, ['kind', 'x'])
    for (const key of ['anyOf', 'oneOf']) {
      const all = { ...object({ x: { type: 'string' } }, []), [key]: [branch('a'), branch('b')] }
      expect(withoutNulls(all, { kind: 'a', x: null }), key).to.deep.equal({ kind: 'a', x: null })
    }
  })

  it('takes them out by the branches of a union that the rest of the value fits', () => {
    const nullable = object({ kind: { const: 'nullable' }, x: { type: ['string', 'null'] } })
    const optional = object({ kind: { const: 'optional' }, x: { type: 'string' } }, ['kind'])
    const union = { anyOf: [nullable, optional] }
    expect(withoutNulls(union, { kind: 'optional', x: null })).to.deep.equal({ kind: 'optional' })
    const kept = { kind: 'nullable', x: null }
    expect(withoutNulls(union, kept)).to.deep.equal(kept)
    expect(withoutNulls(union, { kind: 'neither', x: null })).to.deep.equal({
      kind: 'neither',
      x: null,
    })
  })

  it('takes them out where another branch is known by the names that it has not', () => {
    const open = { type: 'object', properties: { a: { type: 'boolean' } } }
    const schema = object(
      {
        a: {
          anyOf: [
            { allOf: [open, { type: 'object', properties: { constructor: { type: 'number' } } }] },
            { type: ['string', 'null'] },
            { $ref: '#' },
          ],
        },
      },
      [],
    )
    const input = { a: { a: null, constructor: -3 } }
    expect(withoutNulls(schema, input)).to.deep.equal({ a: { constructor: -3 } })
    expect(withoutNulls(schema, { a: { a: null } })).to.deep.equal({ a: { a: null } })
  })

  it('takes them out as the branch says whose fixed value the input has', () => {
    const branch = (kind: string, note: object) =>
      object({ kind: { enum: [kind] }, note }, ['kind'])
    const schema = object({
      item: {
        anyOf: [branch('text', { type: 'string' }), branch('none', { type: ['string', 'null'] })],
      },
    })
    const cleaned = (kind: string) => withoutNulls(schema, { item: { kind, note: null } })
    expect(cleaned('text')).to.deep.equal({ item: { kind: 'text' } })
    expect(cleaned('none')).to.deep.equal({ item: { kind: 'none', note: null } })
  })

  it('takes them out as the branch says that lists the value of the input among others', () => {
    const branch = (kinds: readonly string[], note: object) =>
      object({ kind: { enum: kinds }, note }, ['kind'])
    const schema = object({
      item: {
        anyOf: [
          branch(['text', 'word'], { type: 'string' }),
          branch(['none', 'null'], { type: ['string', 'null'] }),
        ],
      },
    })
    for (const kind of ['text', 'word', 'none', 'null']) {
      const item = kind.startsWith('n') ? { kind, note: null } : { kind }
      expect(withoutNulls(schema, { item: { kind, note: null } }), kind).to.deep.equal({ item })
    }
  })

  it('takes them out where a branch that names the member has no place for it', () => {
    const named = { properties: { b: { enum: ['x', null] } } }
    const schema = object({
      list: {
        anyOf: [
          { type: 'array', items: { allOf: [named, object({})] } },
          { type: 'array', items: object({ b: { type: 'string' } }, []) },
        ],
      },
    })
    expect(withoutNulls(schema, { list: [{ b: null }] })).to.deep.equal({ list: [{}] })
  })
})
