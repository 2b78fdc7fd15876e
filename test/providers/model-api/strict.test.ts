import { expect } from 'chai'
import fc from 'fast-check'
import { isStrict } from '../../../providers/model-api/strict.ts'
import { lowering } from '../../../src/core/tool-schemas/index.ts'
import type { JsonObject } from '../../../src/plugin/events/index.ts'
import { openaiFaults } from '../../core/tool-schemas/rules-openai.ts'
import { ARGUMENTS } from '../../core/tool-schemas/schemas.ts'
import { propertyRuns } from '../../helpers/cases.ts'

const lowered = ARGUMENTS.map((schema) => lowering('openai-strict')(schema).input_schema)

/** A schema with one keyword more, or one less, somewhere in its first members. */
const bent = fc
  .tuple(
    lowered,
    fc.constantFrom('required', 'additionalProperties', 'type', 'items', 'allOf', 'format'),
  )
  .map(([schema, keyword]) => {
    const bend = (value: unknown) => {
      const { [keyword]: known, ...rest } = value as JsonObject
      return known === undefined ? { ...rest, [keyword]: [] } : rest
    }
    const entries = Object.entries(schema['properties'] as JsonObject)
    const properties = entries.map(([name, one], at) => [name, at === 0 ? bend(one) : one])
    return { ...schema, properties: Object.fromEntries(properties) as JsonObject }
  })

describe('what the providers take for strict', () => {
  it('is what the rules of strict mode allow, of schemas as they come, lowered and bent', () => {
    fc.assert(
      fc.property(fc.oneof(ARGUMENTS, lowered, bent), (schema) => {
        if (isStrict(schema)) expect(openaiFaults(schema)).to.deep.equal([])
      }),
      { numRuns: propertyRuns(500) },
    )
  })

  it('is a list of many values, as long as they are short', () => {
    const listing = (length: number) => ({
      type: 'object',
      properties: {
        a: { type: 'string', enum: Array.from({ length: 251 }, (_, at) => `${at}`.padEnd(length)) },
      },
      required: ['a'],
      additionalProperties: false,
    })
    expect([58, 60].map((length) => isStrict(listing(length)))).to.deep.equal([true, false])
  })

  it('is all that the host lowers for it, which loses nothing more', () => {
    fc.assert(
      fc.property(ARGUMENTS, (schema) => {
        const { strict, input_schema } = lowering('openai-strict')(schema)
        if (!strict) return
        expect(isStrict(input_schema)).to.equal(true)
        const again = lowering('openai-strict')(input_schema)
        expect(again).to.deep.include({ strict: true, lost: [] })
        expect(isStrict(again.input_schema)).to.equal(true)
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  it('is nothing whose root is a union or no object, and nothing beyond the limits', () => {
    const object = (properties: object) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })
    const many = (length: number) =>
      Object.fromEntries(Array.from({ length }, (_, at) => [`p${at}`, { type: 'string' }]))
    let deep: object = { type: 'string' }
    for (let level = 0; level < 11; level++) deep = object({ x: deep })
    const refused = [
      true,
      { type: 'string' },
      { ...object({}), anyOf: [object({})] },
      object({ a: {} }),
      object({ a: { type: 'string', pattern: '(?=a)' } }),
      object({ a: { $ref: '#/$defs/gone' } }),
      object(many(5001)),
      deep,
    ]
    expect(refused.filter(isStrict)).to.deep.equal([])
    expect(isStrict(object(many(5000)))).to.equal(true)
  })
})
