import { expect } from 'chai'
import { linesOf } from '../../src/python/lines.ts'

function linesIn(...pieces: readonly string[]): readonly string[] {
  const lines: string[] = []
  const read = linesOf((line) => lines.push(line))
  for (const piece of pieces) read(piece)
  return lines
}

describe('lines of a text that arrives in pieces', () => {
  it('are whole, however they arrive', () => {
    expect(linesIn('a', 'b\nc', '\n\nd')).to.deep.equal(['ab', 'c', ''])
  })

  it('are split only if they are longer than 64,000 characters', () => {
    const longest = 'x'.repeat(64_000)
    expect(linesIn(longest, '\n')).to.deep.equal([longest])
    expect(linesIn(longest, 'x', 'y\n')).to.deep.equal([`${longest}x`, 'y'])
  })
})
