import { expect } from 'chai'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import { LARGE_TEXTS } from './large-texts.ts'

describe('BlockReader', () => {
  for (const [name, large] of Object.entries(LARGE_TEXTS)) {
    it(`reads ${name} in time`, function () {
      this.timeout(6000)
      const reader = new BlockReader('http://127.0.0.1:8080/chat/')
      const blocks = reader.read(large.slice(0, -1), true)
      expect(blocks).to.be.an('array')
      expect(JSON.stringify(reader.read(large))).to.be.a('string')
    })
  }
})
