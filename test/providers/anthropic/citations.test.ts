import { expect } from 'chai'
import { partsOf } from '../../../providers/anthropic/messages/blocks.ts'
import { ANTHROPIC } from '../../../providers/anthropic/profile.ts'

describe('a text with citations of the messages API', () => {
  it('tells its sources, with the words that were cited', () => {
    const block = {
      type: 'text',
      text: 'It rains.',
      citations: [
        { type: 'char_location', document_title: 'Weather', cited_text: 'Rain all day.' },
        {
          type: 'web_search_result_location',
          url: 'https://a.test/',
          title: 'A',
          cited_text: 'Wet',
        },
      ],
    }
    expect(partsOf(block, new Map(), ANTHROPIC).slice(1)).to.deep.equal([
      { type: 'source', title: 'Weather', citedText: 'Rain all day.' },
      { type: 'source', url: 'https://a.test/', title: 'A', citedText: 'Wet' },
    ])
  })
})
