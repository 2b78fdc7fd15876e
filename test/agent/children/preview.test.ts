import { expect } from 'chai'
import { preview } from '../../../src/agent/children/preview.ts'

describe('a preview', () => {
  it('AL-11 keeps 200 graphemes whole, and ends with three dots beyond', () => {
    expect(preview('a'.repeat(200))).to.equal('a'.repeat(200))
    expect(preview('a'.repeat(201))).to.equal(`${'a'.repeat(200)}...`)
    expect(preview('abc', 2)).to.equal('ab...')
  })

  it('AL-11 never cuts a grapheme', () => {
    const family = '👩‍👩‍👧‍👦'
    expect(preview(family.repeat(3), 2)).to.equal(`${family.repeat(2)}...`)
    expect(preview(family.repeat(2), 2)).to.equal(family.repeat(2))
    expect(preview('e\u0301'.repeat(3), 2)).to.equal(`${'e\u0301'.repeat(2)}...`)
  })

  it('is short for a grapheme without end', () => {
    const endless = `e${'\u0301'.repeat(100_000)}`
    expect(preview(endless, 2).length).to.be.below(1000)
  })
})
