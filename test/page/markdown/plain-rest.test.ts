import { expect } from 'chai'
import { BlockReader } from '../../../src/page/site/markdown/block-reader.ts'
import type { Block } from '../../../src/page/site/markdown/nodes.ts'

const HEAD = 'a line\n'.repeat(20_000)

function piecesOf(blocks: readonly Block[]): readonly Extract<Block, { kind: 'piece' }>[] {
  return blocks.filter((block) => block.kind === 'piece')
}

describe('the rest of a long text', () => {
  it('comes in pieces of whole lines, which have all of it', () => {
    const text = `${HEAD}${'one line\r\nand another\n'.repeat(5000)}end`
    const pieces = piecesOf(new BlockReader('http://x/').read(text))
    expect(pieces.length).to.be.above(10)
    for (const piece of pieces.slice(0, -1)) expect(piece.text).to.match(/\n$/)
    const whole = pieces.map((piece) => piece.text).join('')
    expect(text.replaceAll('\r\n', '\n').endsWith(whole)).to.equal(true)
    expect(whole.length).to.be.above(text.length - 115_000)
  })

  it('keeps the finished pieces while it grows, and only those', () => {
    const reader = new BlockReader('http://x/')
    const before = piecesOf(reader.read(`${HEAD}${'b'.repeat(20_000)}`, true))
    const after = piecesOf(reader.read(`${HEAD}${'b'.repeat(20_010)}`, true))
    expect(after.length).to.equal(before.length)
    expect(after.slice(0, -1).every((piece, at) => piece === before[at])).to.equal(true)
    expect(after.at(-1)?.text).to.equal(`${before.at(-1)?.text}bbbbbbbbbb`)
    const other = piecesOf(reader.read(`${HEAD}${'c'.repeat(20_000)}`, true))
    expect(other.at(-1)?.text).to.match(/^c+$/)
  })

  it('cuts no character and no end of a line in two', () => {
    const text = `${HEAD}x${'😀'.repeat(20_000)}`
    for (const piece of piecesOf(new BlockReader('http://x/').read(text))) {
      expect(() => encodeURIComponent(piece.text)).to.not.throw()
    }
    const lines = piecesOf(new BlockReader('http://x/').read(`${HEAD}${'\r\n'.repeat(30_000)}`))
    expect(lines.map((piece) => piece.text).join('')).to.match(/^(?:a line\n)+\n+$/)
  })
})
