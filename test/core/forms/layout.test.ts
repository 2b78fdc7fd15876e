import { expect } from 'chai'
import { sentence } from '../../../src/core/forms/layout.ts'

describe('the label of a field without a title', () => {
  const LABELS = {
    max_output_tokens: 'Max output tokens',
    maxOutputTokens: 'Max output tokens',
    'word-filter': 'Word filter',
    base_url: 'Base URL',
    apiURL: 'API URL',
    user_ids: 'User IDs',
    https: 'HTTPS',
    is_on: 'Is on',
    USA: 'USA',
    '': '',
  }
  for (const [name, label] of Object.entries(LABELS)) {
    it(`is ${JSON.stringify(label)} where its name is ${JSON.stringify(name)}`, () => {
      expect(sentence(name)).to.equal(label)
    })
  }
})
