import { expect } from 'chai'
import { wordsFor } from '../../../src/core/forms/words.ts'

/** All texts of an object, by their places. */
function textsIn(value: unknown, place = ''): readonly (readonly [place: string, text: string])[] {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${place}/${key}`))
}

describe("the host's own texts in a form", () => {
  it('are all there, in each language', () => {
    const [english, german] = [textsIn(wordsFor('en')), textsIn(wordsFor('de'))]
    for (const [place, text] of [...english, ...german]) expect(text, place).to.match(/\S/)
    expect(german.map(([place]) => place)).to.deep.equal(english.map(([place]) => place))
  })

  it('are in the language that was asked for, or in English', () => {
    expect(wordsFor('de')).not.to.deep.equal(wordsFor('en'))
    expect(wordsFor('tlh')).to.equal(wordsFor('en'))
  })
})
