import { expect } from 'chai'
import fc from 'fast-check'
import {
  boundaryAfter,
  boundaryBefore,
  previewOf,
  textIn,
} from '../../../src/core/results/preview.ts'

describe('the preview of a text', () => {
  it('LT-09 is its beginning and end, with no character cut, and says what is between', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 40, maxLength: 200 }),
        fc.integer({ min: 8, max: 60 }),
        (text, limit) => {
          const bytes = Buffer.from(text)
          const { beginning, end, next, left } = previewOf(bytes, limit)
          expect(bytes.subarray(0, next).toString()).to.equal(beginning)
          expect(bytes.subarray(next + left).toString()).to.equal(end)
          expect(Buffer.byteLength(beginning))
            .to.equal(next)
            .and.to.be.at.most(limit / 4)
          expect(Buffer.byteLength(end)).to.be.at.most(limit / 8)
          expect(`${beginning}${end}`).not.to.include('\ufffd')
        },
      ),
    ))

  it('LT-09 has at most 4,096 bytes of the beginning and 1,024 of the end', () => {
    const { beginning, end, left } = previewOf(Buffer.alloc(1_000_000, 'a'), 500_000)
    expect([beginning.length, end.length, left]).to.deep.equal([4096, 1024, 1_000_000 - 5120])
  })

  it('LT-09 begins and ends at characters of one to four bytes', () => {
    const bytes = Buffer.from('aé€😀')
    expect(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((at) => boundaryBefore(bytes, at)),
    ).to.deep.equal([0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10])
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => boundaryAfter(bytes, at))).to.deep.equal([
      0, 1, 3, 3, 6, 6, 6, 10, 10, 10, 10,
    ])
    expect(textIn(bytes.subarray(1), 2, 5)).to.equal('€')
  })
})
