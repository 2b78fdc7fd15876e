import { expect } from 'chai'
import { validatorOf } from '../../../src/core/config/json-schema.ts'
import { withoutUnchecked } from '../../../src/core/config/unchecked-patterns.ts'

/** A pattern that the linear-time engine cannot run. */
const AHEAD = '^(?=.*x)'

async function accepts(schema: object, value: unknown): Promise<boolean> {
  const validate = await validatorOf(await withoutUnchecked({ ...schema }))
  return validate(value) === undefined
}

describe('a schema with patterns that the linear-time engine cannot run', () => {
  it('is checked without them', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: AHEAD }, b: { type: 'string', pattern: '^b$' } },
      required: ['a'],
      additionalProperties: false,
    }
    expect(await accepts(schema, { a: 'x' })).to.equal(true)
    expect(await accepts(schema, { a: 'y', b: 'b' })).to.equal(true)
    expect(await accepts(schema, { a: 1 })).to.equal(false)
    expect(await accepts(schema, { a: 'x', b: 'c' })).to.equal(false)
    expect(await accepts(schema, { b: 'b' })).to.equal(false)
    expect(await accepts(schema, { a: 'x', c: 1 })).to.equal(false)
  })

  // Each value fits its schema. Where only the pattern is gone, the keyword around it refuses the value.
  const LEGAL: readonly (readonly [keyword: string, schema: object, value: unknown])[] = [
    ['not', { not: { pattern: AHEAD } }, 'y'],
    ['if', { if: { pattern: AHEAD }, then: { maxLength: 1 }, else: { minLength: 1 } }, 'yy'],
    ['else', { if: { pattern: AHEAD }, then: { maxLength: 1 }, else: { maxLength: 0 } }, 'x'],
    ['oneOf', { oneOf: [{ pattern: AHEAD }, { pattern: '^y$' }] }, 'y'],
    ['maxContains', { contains: { pattern: AHEAD }, maxContains: 1 }, ['x', 'y']],
    [
      'patternProperties',
      { patternProperties: { [AHEAD]: { type: 'number' } }, additionalProperties: false },
      { x: 1 },
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ patternProperties: { [AHEAD]: {} } }], unevaluatedProperties: false },
      { x: 1 },
    ],
    ['a reference', { not: { $ref: '#/$defs/a' }, $defs: { a: { pattern: AHEAD } } }, 'y'],
    [
      'a name of a property',
      { properties: { pattern: { pattern: AHEAD }, not: { type: 'string' } } },
      { pattern: 'x', not: '' },
    ],
    ['a constant', { const: { pattern: AHEAD } }, { pattern: AHEAD }],
  ]
  for (const [keyword, schema, value] of LEGAL) {
    it(`refuses no value that fits: ${keyword}`, async () => {
      expect(await accepts(schema, value)).to.equal(true)
    })
  }

  it('keeps what is not about them', async () => {
    const oneOf = { allOf: [{ minLength: 2 }], oneOf: [{ pattern: AHEAD }, { const: 'yy' }] }
    expect(await accepts(oneOf, 'y')).to.equal(false)
    expect(
      await accepts({ oneOf: [{ type: 'object', patternProperties: { [AHEAD]: {} } }] }, 1),
    ).to.equal(false)
    const named = { patternProperties: { [AHEAD]: {}, '^n': { type: 'number' } } }
    expect(await accepts(named, { n: 'x' })).to.equal(false)
    expect(
      await accepts({ properties: { a: { pattern: AHEAD } }, not: { required: ['b'] } }, { b: 1 }),
    ).to.equal(false)
  })

  it('stays the same object where it has none, and is made once', async () => {
    // Equal schemas become one object, so this one has to be the first of its kind.
    const plain = { pattern: '^a', description: 'Of no other test' }
    expect(await withoutUnchecked(plain)).to.equal(plain)
    const first = await withoutUnchecked({ pattern: AHEAD })
    expect(await withoutUnchecked({ pattern: AHEAD })).to.equal(first)
  })
})
