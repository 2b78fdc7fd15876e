import { expect } from 'chai'
import { FrozenSet } from '../../src/core/frozen-set.ts'

describe('FrozenSet', () => {
  it('reads as a set, and refuses every change', () => {
    const tags: Set<string> = new FrozenSet(['text', 'tools'])
    expect([...tags]).to.deep.equal(['text', 'tools'])
    expect(tags.has('text')).to.equal(true)
    expect(() => tags.add('more')).to.throw(TypeError, 'read-only')
    expect(() => tags.delete('text')).to.throw(TypeError)
    expect(() => tags.clear()).to.throw(TypeError)
    expect(new Set(tags).add('more').size).to.equal(3)
    expect(tags.size).to.equal(2)
  })
})
