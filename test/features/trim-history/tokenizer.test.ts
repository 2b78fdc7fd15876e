import { expect } from 'chai'
import fc from 'fast-check'
import { countInPieces, edgeAt, loadTokenizer } from '../../../features/trim-history/tokenizer.ts'
import { anyText } from '../../helpers/arbitraries.ts'
import { isWhole } from './conversations.ts'

describe('tokenizer of trim-history', () => {
  it('counts in the newer encoding, and old models in the older one', async () => {
    const texts = ['Hello, world!', 'Donaudampfschifffahrtsgesellschaft', '東京タワー', '']
    const countsOf = async (model?: string) => texts.map(await loadTokenizer(model))
    const newer = [4, 10, 4, 0]
    for (const model of [undefined, 'gpt-4o', 'gpt-4.1', 'openai/gpt-5', 'claude-sonnet-4-5'])
      expect(await countsOf(model), model).to.deep.equal(newer)
    for (const model of ['gpt-4', 'gpt-4-turbo', 'openai/gpt-3.5-turbo'])
      expect(await countsOf(model), model).to.deep.equal([4, 13, 7, 0])
  })

  it('takes what looks like a special token for text', async () => {
    const measure = await loadTokenizer()
    expect(measure('<|endoftext|>')).to.be.greaterThan(1)
  })

  it('never counts more tokens than bytes', async () => {
    const measure = await loadTokenizer()
    fc.assert(
      fc.property(anyText({ maxLength: 2000 }), (text) => {
        expect(measure(text)).to.be.at.most(Buffer.byteLength(text))
      }),
    )
  })

  it('looks at texts in pieces that are bounded, and at no more of them for a longer text', () => {
    for (const length of [0, 1, 512, 513, 100_000, 131_072, 131_073, 3_000_000]) {
      const pieces: string[] = []
      const tokens = countInPieces('ab'.repeat(length / 2), (piece) => {
        pieces.push(piece)
        return piece.length
      })
      expect(pieces.length).to.be.at.most(256)
      expect(Math.max(0, ...pieces.map((piece) => piece.length))).to.be.at.most(512)
      expect(tokens).to.be.closeTo(length, 1)
    }
  })

  it('cuts no sign in two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 300, maxLength: 1500 }), (text) => {
        const pieces: string[] = []
        countInPieces(text, (piece) => pieces.push(piece))
        expect(pieces.join('')).to.equal(text)
        for (const piece of pieces) expect(isWhole(piece)).to.equal(true)
      }),
    )
    expect([0, 1, 2, 3].map((at) => edgeAt('a😀b', at))).to.deep.equal([0, 1, 3, 3])
  })

  it('counts a megabyte of one letter, of one sign and of no sense', async () => {
    const measure = await loadTokenizer()
    for (const sign of ['a', ' ', '\n', '字', '\ud800', '👩‍👩‍👧', 'zq']) {
      const text = sign.repeat(1_000_000 / sign.length)
      expect(measure(text), JSON.stringify(sign)).to.be.within(1, Buffer.byteLength(text))
    }
  })
})
