import { expect } from 'chai'
import { ReceivedBytes } from '../../../src/server/bodies/received-bytes.ts'

const MOST = 4 << 20

describe('the bytes of a body', () => {
  for (const sizes of [[], [0], [10, 20], [200_000], Array(300).fill(10_001), [1, 3_000_000, 1]]) {
    it(`are those of its pieces: ${sizes.slice(0, 3)} of ${sizes.length}`, () => {
      const received = new ReceivedBytes(MOST, () => undefined)
      const pieces = sizes.map((size, index) => Buffer.alloc(size, `${index}`))
      for (const piece of pieces) received.add(piece)
      const all = Buffer.concat(pieces)
      expect(received.size).to.equal(all.length)
      expect(Buffer.compare(received.whole(), all)).to.equal(0)
    })
  }

  it('need no piece of a large body any more', () => {
    const copied: Uint8Array[] = []
    const received = new ReceivedBytes(MOST, (piece) => {
      copied.push(Uint8Array.from(piece))
      piece.fill(0)
    })
    const pieces = Array.from({ length: 10 }, (_, index) => Buffer.alloc(50_000, `${index}`))
    const all = Buffer.concat(pieces)
    for (const piece of pieces) received.add(piece)
    expect(Buffer.concat(copied).equals(all)).to.equal(true)
    expect(Buffer.compare(received.whole(), all)).to.equal(0)
  })

  it('are none once they are let go of', () => {
    const received = new ReceivedBytes(MOST, () => undefined)
    received.add(Buffer.alloc(1 << 20))
    received.clear()
    expect(received.whole()).to.have.length(0)
  })
})
