import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { plainSchema } from '../../../src/core/forms/plain-schema.ts'

const plain = (schema: object, locale = 'en') => plainSchema(schema as never, locale).schema

function refusal(schema: object): string {
  try {
    plain(schema)
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`
  }
  return 'let through'
}

describe('plainSchema', () => {
  it('writes references out, what stands beside them first', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { url: { type: 'string', title: 'URL', format: 'uri' } },
      properties: { base: { $ref: '#/$defs/url', title: 'Base' }, other: { $ref: '#/$defs/url' } },
    }
    expect(plain(schema)).to.deep.equal({
      properties: {
        base: { type: 'string', title: 'Base', format: 'uri' },
        other: { type: 'string', title: 'URL', format: 'uri' },
      },
    })
  })

  it('writes references out in every keyword that has schemas', () => {
    const named = { $ref: '#/$defs/name' }
    const written = { type: 'string', minLength: 2 }
    const keywords = ['additionalProperties', 'contains', 'propertyNames', 'not', 'if']
    for (const keyword of keywords) {
      const schema = { $defs: { name: written }, properties: { a: { [keyword]: named } } }
      expect(plain(schema), keyword).to.deep.equal({ properties: { a: { [keyword]: written } } })
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const schema = { $defs: { name: written }, properties: { a: { [keyword]: [named, true] } } }
      const { a } = plain(schema)['properties'] as { a: object }
      expect(JSON.stringify(a), keyword).to.include('minLength').and.not.to.include('$ref')
    }
  })

  it('reads a reference as a fragment of an address', () => {
    const schema = {
      $defs: { 'a b/c': { type: 'string' }, '100%': { type: 'number' } },
      properties: { a: { $ref: '#/$defs/a%20b~1c' }, b: { $ref: '#/$defs/100%' } },
    }
    expect(plain(schema)['properties']).to.deep.equal({
      a: { type: 'string' },
      b: { type: 'number' },
    })
  })

  it('takes a reference with further conditions as both', () => {
    const schema = {
      $defs: { n: { type: 'number', minimum: 1 } },
      properties: { a: { $ref: '#/$defs/n', minimum: 3 } },
    }
    const { properties } = plain(schema) as { properties: { a: object } }
    const validate = new Ajv2020({ strict: false }).compile(properties.a)
    expect([validate(2), validate(3)]).to.deep.equal([false, true])
  })

  it('leaves out what only one draft knows, and says it in the words of both where they have them', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { prefixItems: [{}] } },
      dependentRequired: { a: ['b'] },
      unevaluatedProperties: false,
    }
    const result = plain(schema)
    for (const Draft of [Ajv, Ajv2020]) {
      const validate = new Draft().compile(result)
      expect([validate({ a: '1' }), validate({ a: '1', b: '2' }), validate({})]).to.deep.equal([
        false,
        true,
        true,
      ])
    }
    expect(JSON.stringify(result)).not.to.match(/prefixItems|unevaluated|dependent/)
  })

  it('cuts a schema off where it refers to itself, and says where', () => {
    const schema = { properties: { name: { type: 'string' }, child: { $ref: '#' } } }
    const { schema: result, left } = plainSchema(schema, 'en')
    expect(JSON.stringify(result)).not.to.include('$ref')
    expect([...left.entries()]).to.deep.equal([['/properties/child/properties/child', 'recursion']])
  })

  it('refuses what is no schema, leads outside or is too large, with the place', () => {
    expect(refusal({ properties: { a: 7 } })).to.match(
      /^SETTINGS_SCHEMA_INVALID: .*\/properties\/a: it is not a schema/,
    )
    expect(refusal({ properties: { a: { $ref: 'https://example.org/s' } } })).to.match(
      /points outside the schema/,
    )
    expect(refusal({ properties: { a: { $ref: '#/$defs/gone' } } })).to.match(
      /points to a place that does not exist/,
    )
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]),
    )
    expect(refusal({ properties: many })).to.match(/more than 5000 parts/)
    const doubling = Object.fromEntries(
      Array.from({ length: 16 }, (_, at) => [
        `d${at}`,
        { properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } } },
      ]),
    )
    expect(refusal({ $defs: { ...doubling, d16: {} }, $ref: '#/$defs/d0' })).to.match(
      /more than 5000 parts/,
    )
  })

  it('keeps patterns that are quick in every engine, and leaves the others to the host', () => {
    const patternOf = (pattern: string) => plain({ type: 'string', pattern })['pattern']
    for (const quick of ['^[a-z][a-z0-9]{0,30}$', '^(on|off)$', '^\\d+$'])
      expect(patternOf(quick)).to.equal(quick)
    for (const slow of ['^(a+)+$', '^(a|a)*$', '^\\s*\\s*\\s*$', '(?<', 'x'.repeat(2000)]) {
      expect(patternOf(slow), slow).to.equal(undefined)
    }
  })

  it('takes title and description in the language that is asked for', () => {
    const schema = {
      type: 'string',
      title: 'Folder',
      'x-i18n': { de: { title: 'Ordner' }, 'pt-BR': { title: 'Pasta' } },
    }
    expect(plain(schema, 'de-CH')['title']).to.equal('Ordner')
    expect(plain(schema, 'pt-BR')['title']).to.equal('Pasta')
    expect(plain(schema, 'pt')['title']).to.equal('Folder')
    expect(plain(schema)).not.to.have.property('x-i18n')
  })
})
