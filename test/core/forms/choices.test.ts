import { expect } from 'chai'
import { validatorOf } from '../../../src/core/config/index.ts'
import { plainChoices, withNumberChoices } from '../../../src/core/forms/choices.ts'
import { kindOf } from '../../../src/core/forms/kinds.ts'
import type { JsonObject } from '../../../src/plugin/index.ts'

describe('plainChoices', () => {
  const sizes = {
    description: 'Size.',
    oneOf: [{ const: 1, title: 'Small' }, { const: 2, title: 'Large' }, { const: 4 }],
  }

  it('makes a field of a choice between numbers, which lists them and takes no other', async () => {
    const plain = plainChoices(sizes)
    expect(plain).to.deep.include({
      type: 'integer',
      description: 'Size. (1: Small, 2: Large, 4)',
    })
    expect(kindOf(plain)).to.equal('number')
    const halves = plainChoices({ enum: [0.5, 1] })
    expect(halves).to.deep.include({ type: 'number', description: '(0.5, 1)' })
    const faultIn = async (schema: JsonObject, value: unknown) =>
      (await validatorOf(schema))(value)?.message
    expect(await faultIn(plain, 4)).to.equal(undefined)
    expect(await faultIn(plain, 3)).to.be.a('string')
    expect(await faultIn(halves, 0.5)).to.equal(undefined)
    expect(await faultIn(halves, 0.75)).to.include('0.5, 1')
  })

  it('has numbers as choices for forms that return a selected number, alone, in lists and in tables', () => {
    const choices = { type: 'integer', enum: [1, 2], description: '(1, 2)' }
    const schemas = [
      { enum: [1, 2] },
      { type: 'array', items: { enum: [1, 2] } },
      { type: 'array', items: { type: 'object', properties: { size: { enum: [1, 2] } } } },
    ]
    const [one, list, table] = schemas.map((schema) => withNumberChoices(plainChoices(schema)))
    expect(one).to.deep.equal(choices)
    expect(list).to.deep.equal({ type: 'array', items: choices })
    expect(table?.['items']).to.deep.equal({ type: 'object', properties: { size: choices } })
    expect(withNumberChoices(plainChoices(sizes))['oneOf']).to.deep.equal([
      { const: 1, title: 'Small' },
      { const: 2, title: 'Large' },
      { const: 4, title: '4' },
    ])
    const plain = { type: 'integer', minimum: 1 }
    expect(withNumberChoices(plain)).to.equal(plain)
  })

  it('keeps texts, with their titles if one has a title', () => {
    expect(plainChoices({ enum: ['a', 'b', null] })).to.deep.equal({
      type: 'string',
      enum: ['a', 'b'],
    })
    expect(plainChoices({ oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] })).to.deep.equal({
      type: 'string',
      oneOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'b' },
      ],
    })
  })
})
