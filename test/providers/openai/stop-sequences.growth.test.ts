import { expect } from 'chai'
import { StopScanner } from '../../../providers/openai/responses/stop-scanner.ts'
import { expectLinear } from '../../helpers/doubling.ts'

/** Texts and stop sequences of a length, which go together as badly as possible. */
const CASES: { readonly [name: string]: (count: number) => readonly [text: string, stop: string] } =
  {
    'a long sequence that always almost comes': (count) => [
      `${'a'.repeat(99)}b`.repeat(count / 100),
      'a'.repeat(100),
    ],
    'a sequence as long as the text': (count) => [
      'ab'.repeat(count / 2),
      `${'ab'.repeat(count / 2)}c`,
    ],
  }

describe('the search for stop sequences', function () {
  this.timeout(120_000)

  for (const [name, textOf] of Object.entries(CASES)) {
    it(`takes time that grows as the text does, in small pieces, with ${name}`, async () => {
      await expectLinear({
        name,
        sizes: [100_000, 200_000, 400_000],
        make: (count) => {
          const [text, stop] = textOf(count)
          const pieces = text.match(/.{1,1000}/g) ?? []
          return () => {
            const scanner = new StopScanner([stop])
            let length = 0
            for (const piece of pieces) length += scanner.add(piece).length
            expect(length + scanner.rest().length).to.equal(text.length)
          }
        },
      })
    })
  }
})
