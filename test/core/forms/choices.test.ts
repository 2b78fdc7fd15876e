import { expect } from 'chai'
import { plainChoices } from '../../../src/core/forms/choices.ts'

describe('plainChoices', () => {
  it('makes a field of a choice between numbers, and lists them in the description', () => {
    const plain = plainChoices({
      description: 'Size.',
      oneOf: [{ const: 1, title: 'Small' }, { const: 2, title: 'Large' }, { const: 4 }],
    })
    expect(plain).to.deep.equal({ type: 'integer', description: 'Size. (1: Small, 2: Large, 4)' })
    expect(plainChoices({ enum: [0.5, 1] })).to.deep.equal({
      type: 'number',
      description: '(0.5, 1)',
    })
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
