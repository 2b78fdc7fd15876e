import { expect } from 'chai'
import { type SearchIndex, search } from '../../scripts/site/browser/search.ts'

const INDEX: SearchIndex = {
  pages: [
    ['a.html', 'Write a provider'],
    ['b.html', 'Hooks'],
  ],
  sections: [
    [0, '', 'Write a provider', 'messages events'],
    [0, 'usage', 'Usage', 'tokens of the cache'],
    [1, 'finalize', 'finalize', 'the provider adds usage'],
  ],
}
const found = (question: string) => search(INDEX, question).map(({ path, id }) => `${path}#${id}`)

describe('the search of the site', () => {
  it('puts titles before texts', () => {
    expect(found('usage')).to.deep.equal(['a.html#usage', 'b.html#finalize'])
  })

  it('finds sections that have every word, in the title of their page too', () => {
    expect(found('provider tokens')).to.deep.equal(['a.html#usage'])
    expect(found('tokens nothing')).to.deep.equal([])
  })

  it('finds beginnings of words, in any case', () => {
    expect(found('TOK')).to.deep.equal(['a.html#usage'])
    expect(found('oken')).to.deep.equal([])
  })

  it('finds nothing for no words', () => {
    expect(found('  ?')).to.deep.equal([])
  })
})
