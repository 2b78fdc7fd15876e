import { expect } from 'chai'
import { piecesIn } from '../../scripts/replay/envelope.ts'
import { counted, faultOf, IS_EXHAUSTIVE, MemoryHost, someSubjects } from './answers.ts'
import { sampled } from './mutations.ts'

const LARGEST = IS_EXHAUSTIVE ? 100_000 : 5_000
const MOST = IS_EXHAUSTIVE ? 500 : 4

/** What may become of an event on its way. */
const CHANGES: {
  readonly [what: string]: (texts: readonly string[], at: number) => readonly string[]
} = {
  'is left out': (texts, at) => texts.toSpliced(at, 1),
  'comes twice': (texts, at) => texts.toSpliced(at, 0, texts[at] ?? ''),
  'comes after the next': (texts, at) =>
    texts.toSpliced(at, 2, texts[at + 1] ?? '', texts[at] ?? ''),
  'comes first': (texts, at) => [texts[at] ?? '', ...texts.toSpliced(at, 1)],
  'has half of its bytes': (texts, at) =>
    texts.with(at, (texts[at] ?? '').slice(0, (texts[at] ?? '').length / 2)),
}

describe('a recorded stream of which an event', function () {
  this.timeout(IS_EXHAUSTIVE ? 3_600_000 : 30_000)
  let memory: MemoryHost
  before(async () => {
    memory = await MemoryHost.start()
  })
  after(() => memory.close())

  for (const [start, [what, change]] of Object.entries(CHANGES).entries()) {
    const some = someSubjects('stream', { largest: LARGEST, share: 5, start })
    for (const { place, recording } of some) {
      it(`${what} is an answer or a typed error: ${recording.name}`, async function () {
        const texts = piecesIn(recording.text).map(({ text }) => text)
        const faults: string[] = []
        const places = sampled(texts.keys(), MOST)
        for (const at of places) {
          const answer = await memory.stream(place, change(texts, at).join(''))
          const fault = faultOf(answer)
          if (fault !== undefined) faults.push(`event ${at}: ${fault}`)
        }
        expect(faults.slice(0, 5), `${faults.length} faults`).to.deep.equal([])
        counted(this, places.length)
      })
    }
  }
})
