import { expect } from 'chai'
import '../english.ts'
import { faultWords } from '../../../src/page/site/forms/fault-words.ts'

const SCHEMA = { properties: { 'a/b': { minimum: 1, type: ['integer', 'null'] } } }
const at = (keyword: string, keywordLocation: string, error = '') =>
  faultWords(SCHEMA, { keyword, keywordLocation, error })

describe('the words for a fault in a form', () => {
  it('have what the schema says there', () => {
    expect(at('minimum', '#/properties/a~1b/minimum')).to.equal('This must be at least 1.')
    const type = 'This must be a whole number.'
    expect(at('type', '#/properties/a~1b/type')).to.equal(type)
  })

  it('have the name of what is missing', () => {
    const error = 'Instance does not have required property "city".'
    expect(at('required', '#/required', error)).to.equal('This is missing: city.')
  })

  it('have numbers and formats as people write them', () => {
    const schema = { minimum: 0.5, format: 'email', enum: [0.5, 'a'] }
    const of = (keyword: string) =>
      faultWords(schema, { keyword, keywordLocation: `#/${keyword}`, error: '' })
    expect(of('minimum')).to.equal('This must be at least 0.5.')
    expect(of('format')).to.equal('This must be an email address.')
    const format = { keyword: 'format', keywordLocation: '#/format', error: '' }
    expect(faultWords({ format: 'odd' }, format)).to.equal('This must have the format odd.')
  })

  it('are general for other keywords, and where the schema says nothing there', () => {
    expect(at('minimum', '#/$ref/minimum')).to.equal('This does not fit.')
    expect(at('dependentRequired', '#/dependentRequired')).to.equal('This does not fit.')
  })
})
