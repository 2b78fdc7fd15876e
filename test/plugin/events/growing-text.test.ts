import { expect } from 'chai'
import fc from 'fast-check'
import { GrowingText } from '../../../src/plugin/events/growing-text.ts'

describe('a growing text', () => {
  it('is what its pieces come to, whenever it is asked', () => {
    const piece = fc.oneof(fc.string(), fc.constant('a'.repeat(3000)))
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.boolean())), (pieces) => {
        const text = new GrowingText()
        let expected = ''
        for (const [added, isAsked] of pieces) {
          text.add(added)
          expected += added
          expect(text.length).to.equal(expected.length)
          if (isAsked) expect(text.toString()).to.equal(expected)
        }
        expect(text.toString()).to.equal(expected)
      }),
    )
  })
})
