import { expect } from 'chai'
import {
  type Answered,
  counted,
  IS_EXHAUSTIVE,
  inPieces,
  MemoryHost,
  positions,
  someSubjects,
} from './answers.ts'

/** Above this many bytes not every position is cut at. */
const LARGE = 20_000
const MOST_CUTS = IS_EXHAUSTIVE ? 2000 : 3
/** In the sample, longer streams do not come byte by byte. */
const LONGEST_BY_BYTES = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 4000

describe('a recorded stream is the same, however its bytes come', function () {
  this.timeout(IS_EXHAUSTIVE ? 3_600_000 : 20_000)
  let memory: MemoryHost
  before(async () => {
    memory = await MemoryHost.start()
  })
  after(() => memory.close())

  const some = someSubjects('stream', { largest: Number.POSITIVE_INFINITY, share: 6, start: 3 })
  for (const { place, recording } of some) {
    const bytes = Buffer.from(recording.text)
    const positionsOf =
      IS_EXHAUSTIVE && bytes.length <= LARGE
        ? positions(bytes.length, bytes.length)
        : positions(bytes.length, MOST_CUTS)

    it(`cut in two: ${recording.name}`, async function () {
      const whole = await memory.stream(place, bytes)
      for (const at of positionsOf) {
        const cut = inPieces([bytes.subarray(0, at), bytes.subarray(at)])
        expectSame(await memory.stream(place, cut), whole, `cut at ${at}`)
      }
      counted(this, positionsOf.length)
    })

    if (bytes.length > LONGEST_BY_BYTES) continue

    it(`byte by byte: ${recording.name}`, async () => {
      const whole = await memory.stream(place, bytes)
      const slow = await memory.stream(place, inPieces(oneByOne(bytes)))
      expectSame(slow, whole, 'byte by byte')
    })
  }
})

function* oneByOne(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1)
}

function expectSame(answer: Answered, whole: Answered, how: string): void {
  if (answer.shown === whole.shown && answer.error === whole.error) return
  expect(answer, how).to.deep.equal(whole)
}
