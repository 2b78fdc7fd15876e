import { expect } from 'chai'
import { onOneLine, wordsIn } from '../../../src/agent/storage/index.ts'
import { excerptOf, marksIn } from '../../../src/server/conversations/excerpt.ts'

function marked(text: string, search: string): string {
  const found = excerptOf(onOneLine(text), wordsIn(search))
  let shown = ''
  let last = 0
  for (const [from, to] of found.marks) {
    shown += `${found.text.slice(last, from)}[${found.text.slice(from, to)}]`
    last = to
  }
  return shown + found.text.slice(last)
}

describe('the excerpt of a text that a search found', () => {
  it('has a short text whole, with each word marked wherever it is', () => {
    expect(marked('The cat saw a Cat.', 'cat')).to.equal('The [cat] saw a [Cat].')
    expect(marked('one two three', 'three ONE')).to.equal('[one] two [three]')
    expect(marked('banana', 'an na')).to.equal('b[anana]')
  })

  it('marks the letters that are there where folding makes more of them', () => {
    expect(marked('Die Straße ist groß', 'STRASSE')).to.equal('Die [Straße] ist groß')
    expect(marked('İstanbul, Σίσυφος', 'σίσυφοσ')).to.equal('İstanbul, [Σίσυφος]')
    expect(marked('😀 ÜBER 😀', 'über')).to.equal('😀 [ÜBER] 😀')
  })

  it('has what is around the first word of a long text, cut between words', () => {
    const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`
    const shown = marked(text, 'needle')
    expect(shown).to.match(/^…(before )+\[needle\]( after)+…$/)
    expect(shown.length).to.be.within(100, 170)
  })

  it('is around the first word that is in the text, where others are not', () => {
    const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`
    expect(marked(text, 'nowhere needle')).to.equal(marked(text, 'needle'))
    expect(marked(text, 'nowhere')).to.match(/^before before .*…$/)
  })

  it('is short also where a text has no spaces, and cuts no character in two', () => {
    const shown = marked(`${'😀'.repeat(500)}x${'😀'.repeat(500)}`, 'x')
    expect(shown.length).to.be.within(100, 170)
    expect(() => encodeURIComponent(shown)).to.not.throw()
    expect(shown).to.include('[x]')
  })

  it('marks titles as they are', () => {
    expect(marksIn('Über  Türme', wordsIn('türme'))).to.deep.equal([[6, 11]])
  })
})
