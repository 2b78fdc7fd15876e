import { expect } from 'chai'
import type { Place } from '../../scripts/replay/place.ts'
import { configFor } from '../../scripts/replay/replayer.ts'
import { HostError, type Message } from '../../src/core/index.ts'
import { runsOf } from '../helpers/cases.ts'
import {
  type Answered,
  CODES,
  counted,
  faultOf,
  IS_EXHAUSTIVE,
  MemoryHost,
  someSubjects,
} from './answers.ts'
import { PLACES } from './built-answers.ts'
import { type Mutation, mutations, sampled, shapeOf, streamMutations } from './mutations.ts'

/** Events of a larger stream are changed where their shape is new. */
const SMALL = 20_000
const LARGEST = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : 6_000
const MOST = IS_EXHAUSTIVE ? Number.POSITIVE_INFINITY : runsOf(10, 2)
const MOST_OF_REFUSALS = IS_EXHAUSTIVE ? MOST : runsOf(5, 3)
const MOST_SHOWN = 20

/** How APIs refuse. */
const REFUSALS: readonly object[] = [
  {
    error: { message: 'Slow down', type: 'requests', param: 'model', code: 'rate_limit_exceeded' },
  },
  { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'r1' },
  { object: 'error', message: { detail: [{ loc: ['body', 'tools', 0], msg: 'missing' }] } },
  { type: 'response.failed', response: { status: 'failed', error: { code: 'x', message: 'y' } } },
]

describe('an answer of which any member is of another kind', function () {
  this.timeout(IS_EXHAUSTIVE ? 3_600_000 : 30_000)
  let memory: MemoryHost
  const builtIn = Object.getOwnPropertyNames(Object.prototype).sort()

  before(async () => {
    memory = await MemoryHost.start()
  })
  after(async () => {
    await memory.close()
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).to.deep.equal(builtIn)
  })

  for (const { place, recording } of someSubjects('stream', { largest: LARGEST, share: 4 })) {
    it(`is an answer or a typed error, streamed: ${recording.name}`, async function () {
      const seen = new Set<string>()
      const isNew = (line: string): boolean => {
        const shape = shapeOf(line)
        if (shape === undefined || seen.has(shape)) return false
        if (recording.text.length > SMALL) seen.add(shape)
        return true
      }
      const all = sampled(streamMutations(place.api, recording.lines, isNew), MOST)
      await expectHarmless(all, place, (text) => memory.stream(place, text))
      counted(this, all.length)
    })
  }

  for (const { place, recording } of someSubjects('send', { largest: LARGEST, share: 4 })) {
    it(`is an answer or a typed error, sent: ${recording.name}`, async function () {
      const all = sampled(mutations(recording.text), MOST)
      await expectHarmless(all, place, (text) => memory.send(place, text))
      counted(this, all.length)
    })
  }

  for (const place of PLACES) {
    const label = [place.provider, place.api, place.preset].filter(Boolean).join(' ')

    for (const refusal of REFUSALS) {
      const body = JSON.stringify(refusal)

      it(`is a typed error where it refuses (${label}): ${body}`, async function () {
        const all = sampled(mutations(body), MOST_OF_REFUSALS)
        for (const status of [400, 429, 500]) {
          await expectHarmless(all, place, (text) => memory.send(place, text, status))
        }
        await expectHarmless(all, place, (text) => memory.stream(place, `data: ${text}\n\n`))
        const named = (text: string) => `event: error\ndata: ${text}\n\n`
        await expectHarmless(all, place, (text) => memory.stream(place, named(text)))
        counted(this, 5 * all.length)
      })
    }
  }

  async function expectHarmless(
    all: Iterable<Mutation>,
    place: Place,
    ask: (text: string) => Promise<Answered>,
  ): Promise<void> {
    const faults: string[] = []
    for (const { what, text } of all) {
      const answer = await ask(text())
      const fault = faultOf(answer) ?? (await faultOfHistory(place, answer.messages))
      if (fault !== undefined) faults.push(`${what}: ${fault}`)
    }
    expect(faults.slice(0, MOST_SHOWN), `${faults.length} faults`).to.deep.equal([])
  }

  /** The answer as history: it is sent, or refused in words. */
  async function faultOfHistory(
    place: Place,
    messages: readonly Message[],
  ): Promise<string | undefined> {
    const config = configFor(place, 'https://nowhere.test/v1')
    try {
      await memory.host.dryRun(config, [HELLO, ...messages, HELLO])
      return undefined
    } catch (error) {
      const code = HostError.is(error) ? error.code : undefined
      return CODES.has(code) ? undefined : `sent back, ${code ?? 'no code'}: ${String(error)}`
    }
  }
})

const HELLO: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
