import { expect } from 'chai'
import { mayBeUnsayable, parseJson } from '../../../providers/model-api/json.ts'

describe('the JSON of a model API', () => {
  const TOO_LARGE = '9'.repeat(310)

  it('has null for a number that is too large, in whichever place of the text it is', () => {
    for (let before = 0; before <= 450; before++) {
      const text = `{"before":"${'x'.repeat(before)}","number":${TOO_LARGE},"after":""}`
      expect(parseJson(text)).to.have.property('number', null)
    }
  })

  it('has null for a number whose exponent is too large', () => {
    for (const number of ['1e999', '1E+999', '-1.5e400']) {
      expect(parseJson(`[${number}]`)).to.deep.equal([null])
    }
  })

  it('has no key `__proto__`, however it is spelled', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '_\\u005Fpr\\u006Fto__']) {
      expect(parseJson(`{"${key}":{"a":1},"b":2}`)).to.deep.equal({ b: 2 })
    }
  })

  it('keeps long texts of digits, and numbers that are not too large', () => {
    const digits = '7'.repeat(5000)
    const value = { digits, number: 1e300, small: 12, ids: [`a${digits}`, digits] }
    expect(parseJson(JSON.stringify(value))).to.deep.equal(value)
  })

  it('is parsed the slow way only where a message may be unable to say it', () => {
    const digits = '7'.repeat(199)
    for (let before = 0; before <= 450; before++) {
      const text = `${'x'.repeat(before)}${digits}`
      expect(mayBeUnsayable(`["${text}"]`), `${before}`).to.equal(false)
      expect(mayBeUnsayable(`["${text}7"]`), `${before}`).to.equal(true)
    }
    expect(mayBeUnsayable(JSON.stringify({ words: 'Tea is hot. '.repeat(100) }))).to.equal(false)
  })

  it('is as deep as its brackets outside of texts', () => {
    const brackets = '['.repeat(300)
    for (const said of [`\\"${brackets}`, `\\\\\\"${brackets}`, `${brackets}\\\\`]) {
      const value = { said: JSON.parse(`"${said}"`), after: [] }
      expect(parseJson(`{"said":"${said}","after":[]}`), said).to.deep.equal(value)
    }
    for (const said of ['', '\\\\', '\\"\\\\']) {
      const deep = `{"said":"${said}","after":${brackets}${']'.repeat(300)}}`
      expect(() => parseJson(deep), said).to.throw(SyntaxError, 'nested deeper than 128 levels')
    }
  })

  it('is refused where it is made of millions of values', () => {
    const text = `[${'0,'.repeat(4_000_001)}0]`
    expect(() => parseJson(text)).to.throw(SyntaxError, 'more than 4000000 values')
  })
})
