import { expect } from 'chai'
import { piecesIn } from '../../scripts/replay/envelope.ts'
import {
  type Answered,
  counted,
  IS_EXHAUSTIVE,
  inPieces,
  MemoryHost,
  someSubjects,
} from './answers.ts'

const MOST = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 5
const LARGEST = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 10_000

describe('a recorded stream that is cut off after an event', function () {
  this.timeout(IS_EXHAUSTIVE ? 3_600_000 : 20_000)
  let memory: MemoryHost
  before(async () => {
    memory = await MemoryHost.start()
  })
  after(() => memory.close())

  const some = someSubjects('stream', { largest: LARGEST, share: 5, start: 1 })
  for (const { place, recording } of some) {
    const events = piecesIn(recording.text)

    for (const ending of ['ends', 'is lost'] as const) {
      const cutAfter = (end: number): Promise<Answered> => {
        const texts = events.slice(0, end).map(({ text }) => text)
        const bytes = Buffer.from(texts.join(''))
        return memory.stream(place, inPieces(ending === 'ends' ? [bytes] : thenLost(bytes)))
      }

      it(`is interrupted unless it was whole when the connection ${ending}: ${recording.name}`, async function () {
        const whole = await memory.stream(place, recording.text)
        const ends = endsOf(events.length)
        for (const end of ends) {
          const isWhole = isWholeAfter(events.slice(0, end).map(({ data }) => data))
          expectEnding(await cutAfter(end), isWhole, whole, `after ${end} events`)
        }
        counted(this, ends.length)
      })
    }
  }
})

/** After how many events it is cut: after each, or after some and each of the last. */
function endsOf(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / MOST))
  const all = Array.from({ length: count + 1 }, (_, end) => end)
  return all.filter((end) => end % step === 0 || end > count - 4)
}

function expectEnding(answer: Answered, isWhole: boolean, whole: Answered, when: string): void {
  // Some recordings have a fault of their own, before the cut or after it.
  const allowed = [isWhole ? undefined : 'STREAM_INTERRUPTED', whole.code ?? []].flat()
  expect(allowed, `${when}: ${answer.error}`).to.include(answer.code)
  if (answer.status === 'done') expect(answer.gathered).to.deep.equal(answer.messages)
}

function* thenLost(bytes: Uint8Array): Iterable<Uint8Array> {
  yield bytes
  throw new Error('the connection was lost')
}

interface Event {
  readonly type?: string
  readonly choices?: readonly { readonly finish_reason?: string | null }[]
  readonly delta?: { readonly stop_reason?: string | null }
}

const LAST = new Set(['response.completed', 'response.incomplete', 'message_stop'])

/** Whether an answer is whole with these events: each API says so in one of them. */
function isWholeAfter(events: readonly string[]): boolean {
  return events.reduce((isWhole, data) => wholeWith(data) ?? isWhole, false)
}

function wholeWith(data: string): boolean | undefined {
  if (data === '[DONE]') return true
  const { type = '', choices = [], delta } = eventIn(data)
  if (type === 'response.created' || type === 'message_start') return false
  // What follows says nothing more of the answer.
  const isLast = LAST.has(type) || (type === 'message_delta' && Boolean(delta?.stop_reason))
  return isLast || choices.some(({ finish_reason: reason }) => reason) || undefined
}

function eventIn(data: string): Event {
  try {
    return JSON.parse(data) as Event
  } catch {
    return {}
  }
}
