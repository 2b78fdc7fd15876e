import { expect } from 'chai'
import fc from 'fast-check'
import { isLarger } from '../../../src/core/results/result-size.ts'
import { anyCharacter } from '../../helpers/any-character.ts'
import { propertyRuns } from '../../helpers/cases.ts'

function sizeOf(output: unknown): number {
  return Buffer.byteLength(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))
}

describe('the size of an output', () => {
  it('LT-09 is compared with the limit as the model gets the output, whatever it is', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.jsonValue()),
        fc.integer({ min: -3, max: 3 }),
        (output, beside) => {
          const size = sizeOf(output)
          expect(isLarger(output, size + beside)).to.equal(beside < 0)
        },
      ),
      { numRuns: propertyRuns(1000) },
    ))

  it('LT-09 counts escapes, numbers and members that JSON leaves out as JSON writes them', () => {
    const odd = [{ a: '\u0000"\\é😀', b: undefined, c: -1.25e-300, d: [null, true] }]
    const size = sizeOf(odd)
    expect([isLarger(odd, size), isLarger(odd, size - 1)]).to.deep.equal([false, true])
  })

  it('LT-09 does not encode a value that is clearly within it, or clearly beyond', () => {
    let encoded = 0
    const list = Object.assign(['x'.repeat(1000)], { toJSON: () => encoded++ })
    expect([isLarger(list, 10_000), isLarger(list, 100)]).to.deep.equal([false, true])
    expect(encoded).to.equal(0)
  })
})
