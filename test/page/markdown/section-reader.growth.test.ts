import { expect } from 'chai'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import { SectionReader } from '../../../src/page/site/markdown/section-reader.ts'
import { LARGE_TEXTS } from './large-texts.ts'

const BASE = 'http://127.0.0.1:8080/chat/'
/** In milliseconds, for what a page does without a pause. */
const MOST = 2000

describe('SectionReader', () => {
  for (const [name, large] of Object.entries(LARGE_TEXTS)) {
    it(`reads ${name} in time, each section by itself`, function () {
      this.timeout(20_000)
      const reader = new SectionReader()
      reader.read(large.slice(0, -1), true)
      for (const { text, isStreaming, links } of reader.read(large, false)) {
        const start = performance.now()
        const blocks = new BlockReader(BASE, links)
        expect(blocks.read(text.slice(0, -1), true)).to.be.an('array')
        expect(JSON.stringify(blocks.read(text, isStreaming))).to.be.a('string')
        expect(performance.now() - start).to.be.below(MOST)
      }
    })
  }
})
