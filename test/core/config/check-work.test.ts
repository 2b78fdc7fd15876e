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

  it('ends at once where each item of a long list has very many alternatives', async () => {
    const anyOf = Array.from({ length: 1_000 }, (_, at) => ({ const: at }))
    const check = await validatorOf({ type: 'array', items: { anyOf } })
    expect(check(Array.from({ length: 50 }, () => 999))).to.equal(undefined)
    const fault = check(Array.from({ length: 5_000 }, () => 999))
    expect(fault?.message).to.match(/cannot be checked: the alternatives .* more than \d+ checks/)
    const lists = { anyOf: Array.from({ length: 1_000 }, () => ({ items: { type: 'number' } })) }
    const many = [...Array.from({ length: 5_000 }, () => 1), 'x']
    expect((await validatorOf(lists))(many)?.message).to.match(/more than \d+ checks/)
  })

  it('lets items of a few alternatives be, and long lists of fixed values', async () => {
    const kinds = Array.from({ length: 60 }, (_, at) => ({ properties: { kind: { const: at } } }))
    const shapes = await validatorOf({ type: 'array', items: { oneOf: kinds } })
    expect(shapes(Array.from({ length: 10_000 }, () => ({ kind: 59 })))).to.equal(undefined)
    const oneOf = Array.from({ length: 1_000 }, (_, at) => ({ const: at, title: `No. ${at}` }))
    const check = await validatorOf({ type: 'array', items: { oneOf } })
    expect(check([999, 1, 2])).to.equal(undefined)
    expect(check(['x'])?.pointer).to.equal('/0')
  })

  it('compares items by what they are, in lists that must not repeat any', async () => {
    const check = await validatorOf({ type: 'array', uniqueItems: true })
    expect(check([{ a: 1, b: [2] }, { a: 1, b: [3] }, 1, '1'])).to.equal(undefined)
    expect(
      check([
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).to.deep.equal({
      pointer: '',
      message: 'the value must not have equal items',
    })
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
