import { expect } from 'chai'
import { KnownTexts } from '../../../src/core/config/known-texts.ts'

describe('KnownTexts', () => {
  it('forgets the text that was not used for the longest time', () => {
    const known = new KnownTexts<number>()
    for (let value = 0; value < 256; value++) known.set(`text ${value}`, value)
    known.set('text 0', 0)
    known.set('one more', 256)
    expect(known.get('text 0')).to.equal(0)
    expect(known.get('text 1')).to.equal(undefined)
    expect(known.get('text 2')).to.equal(2)
    expect(known.get('one more')).to.equal(256)
  })

  it('keeps no long texts', () => {
    const known = new KnownTexts<number>()
    known.set('a'.repeat(16_385), 1)
    known.set('b'.repeat(16_384), 2)
    expect(known.get('a'.repeat(16_385))).to.equal(undefined)
    expect(known.get('b'.repeat(16_384))).to.equal(2)
  })
})
