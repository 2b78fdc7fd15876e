import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../src/plugin/errors.ts'
import type { RunEvent } from '../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../src/server/wire/protocol.ts'
import { propertyRuns, sampled } from '../../helpers/cases.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { hasShared, SHARED_IS_MISSING } from '../../helpers/recordings.ts'
import { type ApiProtocol, framesOf } from './api-protocols.ts'
import { type Recorded, RecordedAnswers, recordedStreams } from './recorded-answers.ts'
import { anyFacts, anyRun, anyTexts, factsOf, runOf, soundRun } from './runs.ts'

/** A protocol, as far as it is written. */
type Written = Pick<ApiProtocol, 'encoder' | 'checker'>

/** What every encoder does, whatever the run was. */
export function writesEveryRun(protocol: Written): void {
  it('lets out legal sequences alone, whatever the run was', () => {
    fc.assert(
      fc.property(anyRun, anyFacts, (events, facts) => void framesOf(protocol, events, facts)),
      { numRuns: propertyRuns(1000, 20) },
    )
  })

  it('writes the same text again for the same run, and no word of an error', () => {
    fc.assert(
      fc.property(anyRun, anyFacts, (events, facts) => {
        const text = framesOf(protocol, events, facts).join('')
        expect(framesOf(protocol, events, facts).join('')).to.equal(text)
        expect(text).to.not.include('a secret of the server')
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })
}

/** What encoders do that may be given what is left of a run. */
export function writesWhatIsLeft(protocol: Written): void {
  it('stays legal where events are missing', () => {
    fc.assert(
      fc.property(anyRun, fc.infiniteStream(fc.boolean()), (events, keeps) => {
        const left = [...events.slice(0, -1).filter(() => keeps.next().value), events.at(-1)!]
        framesOf(protocol, left)
      }),
      { numRuns: propertyRuns(100, 10) },
    )
  })
}

/** Why a request is refused, and where. */
export function refusalOf(decode: () => unknown): {
  readonly pointer: string | undefined
  readonly message: string
} {
  try {
    decode()
  } catch (error) {
    if (!HostError.is(error)) throw error
    expect(error.code).to.equal('REQUEST_INVALID')
    return { pointer: error.pointer, message: error.message }
  }
  throw new Error('It was let in.')
}

/** What every decoder does with whatever it is sent. */
export function decodesAnything(bodies: fc.Arbitrary<object>, decode: (body: object) => unknown) {
  it('answers any JSON with a request or a typed error', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        try {
          decode(body)
        } catch (error) {
          expect(HostError.is(error) && error.code).to.equal('REQUEST_INVALID')
        }
      }),
      { numRuns: propertyRuns(2000, 10) },
    )
  })
}

/** What a client makes of the run that it is served. */
export interface ReadingClient {
  serve(events: readonly RunEvent[], facts?: RunFacts): void
  /** The text of a stream. */
  text(): Promise<string>
  /** All that the whole answer says. */
  whole(): Promise<unknown>
  /** The same, out of a stream. */
  gathered(): Promise<unknown>
  /** What a stream says; nothing where it says that the run failed. */
  read(): Promise<Pick<Recorded, 'text' | 'reasoning' | 'calls' | 'usage'> | undefined>
}

/**
 * What every client reads as it was written.
 * @param start of the sample of recordings, another for each client
 * @param callsOf calls, as far as the protocol has words for them
 */
export function readsEveryRun(
  client: ReadingClient,
  start: number,
  callsOf: (calls: Recorded['calls']) => unknown = (calls) => calls,
): void {
  it('reads any text as it is', async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, async (texts) => {
        client.serve(runOf(textEvents(...texts)))
        expect(await client.text()).to.equal(texts.join(''))
      }),
      { numRuns: propertyRuns(30) },
    )
  })

  it('gathers from a stream what the whole answer says', async () => {
    await fc.assert(
      fc.asyncProperty(soundRun, async (events) => {
        client.serve(events, factsOf('run'))
        expect(await client.gathered()).to.deep.equal(await client.whole())
      }),
      { numRuns: propertyRuns(60, 10) },
    )
  })

  it('has the recordings of others to read', function () {
    if (hasShared) return
    this.test!.title += SHARED_IS_MISSING
    this.skip()
  })

  describe('of recorded answers', () => {
    let recordings: RecordedAnswers
    before(async () => {
      recordings = await RecordedAnswers.start()
    })
    after(() => recordings.close())

    for (const subject of sampled(recordedStreams(), 6, start)) {
      it(`reads ${subject.recording.name}`, async () => {
        const recorded = await recordings.run(subject)
        client.serve(recorded.events, recorded.facts)
        const { text, reasoning, calls, usage } = recorded
        const { input = 0, output = 0 } = usage
        const told = { text, reasoning, calls: callsOf(calls), usage: { input, output } }
        expect(await client.read()).to.deep.equal(recorded.isFailed ? undefined : told)
      })
    }
  })
}
