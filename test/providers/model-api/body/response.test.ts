import { expect } from 'chai'
import { textOf } from '../../../../providers/model-api/body/response.ts'

const TEXT = 'é€𝒳 and more'

/** A response whose body comes in pieces of so many bytes. */
function inPieces(bytes: Uint8Array, size: number): Response {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return new Response(ReadableStream.from(pieces))
}

describe('the text of a whole answer', () => {
  const bytes = new TextEncoder().encode(TEXT)

  for (const size of [1, 2, 3, 5, 100]) {
    it(`is the same however it comes: in pieces of ${size}`, async () => {
      expect(await textOf(inPieces(bytes, size))).to.equal(TEXT)
    })

    it(`is without the mark of its bytes’ order: in pieces of ${size}`, async () => {
      const marked = Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes)
      expect(await textOf(inPieces(marked, size))).to.equal(TEXT)
    })
  }

  it('is as much as can be read of it where it breaks off in a sign', async () => {
    expect(await textOf(inPieces(bytes.subarray(0, 3), 1))).to.equal('é\ufffd')
  })

  it('is nothing where there is more of it than may be', async () => {
    expect(await textOf(inPieces(bytes, 4), bytes.length)).to.equal(TEXT)
    expect(await textOf(inPieces(bytes, 4), bytes.length - 1)).to.equal(undefined)
  })
})
