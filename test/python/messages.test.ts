import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect } from 'chai'
import { SocketCom } from '../../src/python/com.ts'
import { linesOf } from '../../src/python/lines.ts'
import type { Message } from '../../src/python/pythonia.ts'

/** What Python writes, in pieces, to the end. */
function hearing(pieces: readonly string[]): () => Promise<number> {
  return async () => {
    const socket = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    let heard = 0
    const com = new SocketCom(socket as ConstructorParameters<typeof SocketCom>[0], () => heard++)
    com.register('c', () => {
      heard++
      return undefined
    })
    await finished(socket)
    return heard
  }
}

function cut(text: string, size: number): readonly string[] {
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, at) => text.slice(at * size, (at + 1) * size))
}

const message = (value: unknown): string =>
  `${JSON.stringify({ c: 'c', v: value } satisfies Message)}\n`

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
