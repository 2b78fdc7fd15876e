import { expect } from 'chai'
import '../english.ts'
import { digitsText, numberIn } from '../../../src/page/site/words/numbers.ts'

const GERMAN: readonly (readonly [string, number | undefined])[] = [
  ['1.234', 1234],
  ['1.000.000', 1_000_000],
  ['1.234,50', 1234.5],
  ['1 234,5', 1234.5],
  ['1234', 1234],
  ['0,25', 0.25],
  [',5', 0.5],
  [' −3 ', -3],
  ['1e-7', 1e-7],
]
const NEITHER = [
  '',
  'abc',
  '1.2',
  '0.500',
  '1.23.456',
  '1.234.56',
  '1,2,3',
  '1,234.5',
  '1,',
  '-',
  '1.0000',
]

const mirrored = (text: string) => text.replaceAll(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))

describe('a number that a person writes', () => {
  it('is read as the language writes it', () => {
    for (const [text, value] of GERMAN) {
      expect(numberIn(text, 'de'), text).to.equal(value)
      expect(numberIn(mirrored(text), 'en'), mirrored(text)).to.equal(value)
    }
  })

  it('is none where the language does not write it so', () => {
    for (const text of NEITHER) {
      expect(numberIn(text, 'de'), text).to.equal(undefined)
      expect(numberIn(mirrored(text), 'en'), mirrored(text)).to.equal(undefined)
    }
  })

  it('is none where a number cannot hold it', () => {
    for (const text of ['12345678901234567890', '1e999']) {
      expect(numberIn(text, 'de'), text).to.equal(undefined)
    }
  })

  it('is read as it is shown', () => {
    for (const value of [0, -1.5, 4096, 1e-7, 1e21]) {
      expect(numberIn(digitsText(value, 'de'), 'de')).to.equal(value)
      expect(numberIn(digitsText(value, 'en'), 'en')).to.equal(value)
    }
  })
})
