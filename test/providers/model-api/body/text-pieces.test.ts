import { expect } from 'chai'
import fc from 'fast-check'
import { TextPieces } from '../../../../providers/model-api/body/text-pieces.ts'
import { propertyRuns } from '../../../helpers/cases.ts'

function decoded(pieces: readonly Uint8Array[]): string {
  const texts = new TextPieces()
  return pieces.map((piece) => texts.next(piece)).join('')
}

describe('the text of a stream of events', () => {
  it('is that of the whole body, however the stream is cut and whichever bytes are in it', () => {
    const byte = fc.constantFrom(
      0x61,
      0xc3,
      0xa4,
      0xe2,
      0x82,
      0xac,
      0xf0,
      0x9f,
      0x98,
      0xef,
      0xbb,
      0xbf,
    )
    const piece = fc.oneof(
      fc.constant(Buffer.from('\ufeff')),
      fc.array(byte).map((bytes) => Uint8Array.from(bytes)),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        // A character that the last piece leaves open is not part of the text.
        const whole = new TextDecoder().decode(Buffer.concat(pieces), { stream: true })
        expect(decoded(pieces)).to.equal(whole)
      }),
      { numRuns: propertyRuns(2000) },
    )
  })
})

describe('the ends of lines in a stream of events', () => {
  it('are the same however the stream is cut', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', '\r', '\n') })
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(decoded(pieces.map((one) => Buffer.from(one)))).to.equal(
          pieces.join('').replaceAll(/\r\n?/g, '\n'),
        )
      }),
    )
  })
})
