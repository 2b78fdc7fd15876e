import { expect } from 'chai'
import { validatorOf } from '../../../src/core/config/json-schema.ts'

describe('the check of a value', () => {
  /** Each definition names the next one twice. */
  function doubling(keyword: string, depth: number): Record<string, unknown> {
    const names = Array.from({ length: depth }, (_, at) => at)
    const definitions = names.map((at) => {
      const next = { $ref: `#/$defs/d${at + 1}` }
      return [`d${at}`, { [keyword]: [next, { ...next }] }]
    })
    const last = [`d${depth}`, { type: 'string' }]
    return { $ref: '#/$defs/d0', $defs: Object.fromEntries([...definitions, last]) }
  }

  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    it(`ends at once where the references of "${keyword}" multiply, and says so`, async () => {
      const check = await validatorOf(doubling(keyword, 60))
      for (const value of ['text', 5]) {
        const fault = check(value)
        // The first of two that differ decides at once.
        if (fault?.message.includes('string')) continue
        expect(fault?.message).to.match(/cannot be checked: .* more than \d+ checks/)
      }
    })
  }

  it('ends at once where a schema names itself twice for each member of a value', async () => {
    const both = { properties: { x: { $ref: '#' } } }
    const check = await validatorOf({ allOf: [both, structuredClone(both)] })
    let value: object = {}
    for (let depth = 0; depth < 60; depth++) value = { x: value }
    expect(check(value)?.message).to.match(/cannot be checked: .* more than \d+ checks/)
    expect(check({ x: { x: {} } })).to.equal(undefined)
  })

  it('lets large values and recursive schemas be', async () => {
    const tree = {
      type: 'object',
      properties: {
        left: { $ref: '#' },
        right: { $ref: '#' },
        tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
      },
      $defs: {
        tag: { allOf: [{ $ref: '#/$defs/text' }, { maxLength: 5 }] },
        text: { type: 'string' },
      },
    }
    const check = await validatorOf(tree)
    let value: object = {}
    for (let depth = 0; depth < 500; depth++) value = { left: value, right: {} }
    expect(check(value)).to.equal(undefined)
    const tags = Array.from({ length: 50_000 }, () => 'tag')
    expect(check({ tags })).to.equal(undefined)
    expect(check({ tags: [...tags, 'longer'] })).to.include({ pointer: '/tags/50000' })
  })

  it('takes "$ref" for a name and for data where it is one', async () => {
    const data = { $ref: 'x' }
    const check = await validatorOf({
      properties: { $ref: { type: 'string' }, const: { const: data }, enum: { enum: [data] } },
    })
    expect(check({ $ref: 'y', const: data, enum: data })).to.equal(undefined)
    expect(check({ $ref: 5 })).to.include({ pointer: '/$ref' })
  })
})
