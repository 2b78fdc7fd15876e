import { expect } from 'chai'
import { linesOf } from '../../src/python/lines.ts'
import { cut, hearing, message } from './messages.ts'

describe('what comes from Python', () => {
  it('hears each message however it is cut', async () => {
    const text = message('😀a').repeat(5)
    for (const size of [1, 3, 1000]) expect(await hearing(cut(text, size))()).to.equal(5)
  })
})

describe('linesOf', () => {
  it('gives lines however they are cut, and a very long one in parts', () => {
    const lines: string[] = []
    const add = linesOf((line) => lines.push(line))
    for (const piece of ['a', 'b\nc', '\n', '\nd\n', 'e']) add(piece)
    expect(lines).to.deep.equal(['ab', 'c', '', 'd'])
    add('e'.repeat(64_000))
    expect(lines.at(-1)).to.equal('e'.repeat(64_001))
  })
})
