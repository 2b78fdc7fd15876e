import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect } from 'chai'
import { wirePages } from '../../../scripts/wire-pages.ts'

describe('pages about protocols', () => {
  for (const { path, text } of wirePages()) {
    it(`docs/${basename(path)} says what the encoder writes; run "npm run docs" where this fails`, () => {
      expect(readFileSync(path, 'utf8')).to.equal(text)
    })
  }
})
