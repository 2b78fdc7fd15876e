import { expect } from 'chai'
import fc from 'fast-check'
import { expressionsIn } from '../../../providers/scripted/expressions.ts'

describe('expressionsIn', () => {
  const texts: readonly [text: string, expressions: readonly string[]][] = [
    ['What is 12 * 34, and what day is it?', ['12 * 34']],
    ['12*34', ['12*34']],
    ['2 + 3 and (4 - 1) / 3', ['2 + 3', '(4 - 1) / 3']],
    ['What is 7 times 6 plus 1?', ['7 * 6 + 1']],
    ['8 divided by 3', ['8 / 3']],
    ['12 x 3', ['12 * 3']],
    ['15% of 240', ['15 / 100 * 240']],
    ['1,000 * 3', ['1000 * 3']],
    ['sqrt(16) + max(1, 2)', ['sqrt(16) + max(1, 2)']],
    ['sqrt(2)', ['sqrt(2)']],
    ['-3 + 4', ['-3 + 4']],
    ['2 ** 8', ['2 ** 8']],
    ['2 to the power of 8', ['2 ^ 8']],
    ['7 mod 3', ['7 % 3']],
    ['7 modulo 3', ['7 % 3']],
    ['9 over 3', ['9 / 3']],
    ['9 minus 3', ['9 - 3']],
    ['9 multiplied by 3', ['9 * 3']],
    ['2 + 3 =', ['2 + 3']],
    ['What is 2 + 3 - ?', ['2 + 3']],
    ['2 + 2 and 2 + 2', ['2 + 2']],
    ['On 2026-11-21, call 555-1234', []],
    ['What is 10-3?', ['10-3']],
    ['Calculate 2024-2023', ['2024-2023']],
    ['What is 2026-11-21?', []],
    ['Who has 555-1234?', []],
    ['3 apples and 4 pears', []],
    ['version 1.2.3', []],
    ['x times y', []],
    ['', []],
  ]
  for (const [text, expressions] of texts) {
    it(`finds ${JSON.stringify(expressions)} in "${text}"`, () => {
      expect(expressionsIn(text)).to.deep.equal(expressions)
    })
  }

  it('takes any text, and is done soon', () => {
    const sign = fc.constantFrom(
      '1',
      '2.5',
      '+',
      '-',
      '*',
      '(',
      ')',
      ' ',
      ',',
      'x',
      'sqrt',
      '%',
      'of',
      'a',
    )
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 400 }), (signs) => {
        expect(expressionsIn(signs.join(''))).to.be.an('array')
      }),
    )
  })
})
