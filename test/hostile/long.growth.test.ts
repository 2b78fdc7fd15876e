import { expect } from 'chai'
import { textOf } from '../../src/plugin/events/index.ts'
import { heldBytes } from '../helpers/garbage.ts'
import { IS_EXHAUSTIVE, MemoryHost } from './answers.ts'
import { APIS, eventsOf, placeOf, wordsOf } from './long-answers.ts'

const COUNT = IS_EXHAUSTIVE ? 1_000_000 : 100_000
/** Bytes that compiled code may take meanwhile: beside a short answer they are seen. */
const CODE = IS_EXHAUSTIVE ? 0 : 1_000_000
/** Characters of a piece of a body, about what a socket brings at once. */
const PIECE = 16_384

/** A body that makes its events when it is asked for them. */
function bodyOf(events: Iterator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull(controller) {
      let text = ''
      while (text.length < PIECE) {
        const next = events.next()
        if (next.done) break
        text += next.value
      }
      if (text === '') controller.close()
      else controller.enqueue(encoder.encode(text))
    },
  })
}

describe(`answers of ${COUNT} chunks`, function () {
  this.timeout(600_000)
  let memory: MemoryHost
  before(async () => {
    memory = await MemoryHost.start()
    // What is loaded and compiled once is not the answer's.
    for (const api of APIS) await memory.stream(placeOf(api), bodyOf(eventsOf(api, { words: 500 })))
  })
  after(() => memory.close())

  for (const api of APIS) {
    it(`take at most three times their text (${api})`, async () => {
      const words = wordsOf(COUNT)
      const before = await heldBytes()
      const stream = memory.open(placeOf(api), bodyOf(eventsOf(api, { words: COUNT })))
      let deltas = 0
      for await (const event of stream) {
        if (event.type !== 'text-delta' || ++deltas !== COUNT / 2) continue
        expect((await heldBytes()) - before, 'at half').to.be.below((3 * words.length) / 2 + CODE)
      }
      const { messages } = await stream.result
      expect(messages.map(textOf).join('') === words, 'the text is whole').to.equal(true)
      expect((await heldBytes()) - before, 'at its end').to.be.below(3 * words.length + CODE)
    })

    it(`take nothing where they say nothing (${api})`, async () => {
      const before = await heldBytes()
      const stream = memory.open(placeOf(api), bodyOf(eventsOf(api, { words: 1, idle: COUNT })))
      await stream.result
      expect((await heldBytes()) - before).to.be.below(512 * 1024)
    })
  }
})
