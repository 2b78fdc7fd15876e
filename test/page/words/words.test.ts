import { expect } from 'chai'
import { DE_FORMS, EN_FORMS } from '../../../src/page/site/form-words/index.ts'
import { DE as OWN_DE } from '../../../src/page/site/words/de.ts'
import { EN as OWN_EN, type Words } from '../../../src/page/site/words/en.ts'

const DE: Words = { ...OWN_DE, ...DE_FORMS }
const EN: Words = { ...OWN_EN, ...EN_FORMS }

const NAMES = Object.keys(EN) as (keyof Words)[]

const filledIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

describe('the words of the page', () => {
  it('are there in each language', () => {
    const blank = [DE, EN].flatMap((words) => NAMES.filter((name) => words[name].trim() === ''))
    expect(blank).to.deep.equal([])
  })

  it('are filled with the same in each language', () => {
    for (const name of NAMES) expect(filledIn(DE[name]), name).to.deep.equal(filledIn(EN[name]))
  })

  it('differ between the languages, but for terms that both have', () => {
    const terms = /^(Agent|Code|Extensions?|Features?|JSON|Name|Plugins|Provider|Tags|Team|Token)$/
    const alike = NAMES.filter((name) => DE[name] === EN[name] && !terms.test(EN[name]))
    const texts = alike.map((name) => EN[name].replaceAll(/\{\w+\}/g, ''))
    expect(texts.filter((text) => /[a-z]{3}/i.test(text))).to.deep.equal([])
  })
})
