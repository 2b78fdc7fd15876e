import { expect } from 'chai'
import fc from 'fast-check'
import { splitBy } from '../../tools/files/split-by.ts'
import { propertyTimeout } from '../helpers/cases.ts'
import { expectLinear } from '../helpers/doubling.ts'

describe('the texts that edit_file replaces', function () {
  this.timeout(propertyTimeout(60_000))

  it('are found as split finds them', () => {
    const unit = fc.constantFrom('a', 'b')
    const piece = fc.string({ unit, minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(piece, fc.array(piece), (sign, others) => {
        const wanted = sign.repeat(300)
        const text = others.map((other) => wanted + other).join(sign)
        expect(splitBy(text, wanted)).to.deep.equal(text.split(wanted))
      }),
    )
  })

  it('are found in time that grows as the file does, where both are one letter over and over', async () => {
    await expectLinear({
      name: 'a text with one other letter in its middle',
      sizes: [25_000, 50_000, 100_000],
      make: (size) => {
        const half = 'a'.repeat(size / 4)
        const text = 'a'.repeat(size)
        return () => splitBy(text, `${half}b${half}`)
      },
    })
  })
})
