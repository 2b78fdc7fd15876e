import { expect } from 'chai'
import { memoryStorage } from '../../../src/agent/memory-storage/index.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { HAS_ALL_CASES, sampled } from '../../helpers/cases.ts'
import { textEvents } from '../../helpers/hosts.ts'
import { expectAgreement } from '../agreement/index.ts'
import { CUT, Flaky, OVERLOADED, type Play, REFUSED } from '../flaky-provider.ts'
import { FailingRuns } from './failing-runs.ts'

const callEvents = (name: string): readonly PartialEvent[] => [
  { type: 'tool-call-start', id: name, name },
  { type: 'tool-call-delta', id: name, delta: '{"talk":"one"}' },
  { type: 'tool-call-end', id: name, input: { talk: 'one' } },
]
const usage = (input: number): PartialEvent => ({
  type: 'metadata',
  metadata: { usage: { input, output: 1 } },
})

/** The answers of the three steps. */
const STEP_EVENTS: readonly (readonly PartialEvent[])[] = [
  [usage(5), ...textEvents('First.'), ...callEvents('look'), ...callEvents('write')],
  [usage(7), ...callEvents('send')],
  [usage(9), ...textEvents('Do', 'ne.')],
]

/** How a provider fails after some events of an answer. */
const WAYS: { readonly [name: string]: Omit<Play, 'events'> & { readonly last?: object } } = {
  'is cut off': { error: CUT },
  'is overloaded': { error: OVERLOADED },
  'refuses the request': { error: REFUSED },
  'throws what nobody knows': { error: { code: 'WHATEVER' } },
  'sends an event that is none': { last: { type: 'text-delta', id: 'nowhere', delta: '?' } },
  'stays silent until its time is over': { isSilent: true },
  'ends its answer early': {},
}

/** The time limit of a silence, in seconds. */
const SILENCE = 0.04

/** Every place in the three answers: the step, and its events so far. */
const PLACES: readonly { readonly step: number; readonly events: readonly PartialEvent[] }[] =
  STEP_EVENTS.flatMap((whole, step) =>
    [...whole.keys(), whole.length].map((count) => ({ step, events: whole.slice(0, count) })),
  )

interface Ended {
  readonly status: string | undefined
  readonly requests: number
}

/** How a run ends by a failure. An answer that ends early may be a whole one. */
function statusAfter(way: (typeof WAYS)[string], retries: number): string | undefined {
  const { error, last, isSilent } = way
  if (retries > 0 && (error?.retryable || isSilent)) return 'done'
  return error || last || isSilent ? 'failed' : undefined
}

describe('a run of three steps whose provider fails', function () {
  this.timeout(HAS_ALL_CASES ? 120_000 : 30_000)

  /** Runs until the end, with an answer that fails after `count` of its events. */
  async function ranWith(step: number, broken: Play, retries: number): Promise<Ended> {
    const plays = STEP_EVENTS.map((events): Play => ({ events }))
    const flaky = new Flaky(...plays.toSpliced(step, 0, broken))
    const silence = broken.isSilent ? { stream_idle_timeout_secs: SILENCE } : {}
    const more = { retry: { max_retries: retries, ...silence } }
    const provider = flaky.plugin('p', { getTags: () => ['tools'] })
    const runs = await FailingRuns.create({ provider, talks: ['one'], more })
    const storage = memoryStorage()
    try {
      await runs.prepare(storage)
      await runs.begin(storage)
      const at = `step ${step + 1}, ${broken.events?.length ?? 0} events, ${retries} retries`
      expect(runs.told.errors, at).to.deep.equal([])
      await expectAgreement(storage, async () => memoryStorage(), at)
      const [run] = await runs.runs(storage)
      if (broken.error) expect(new Set(runs.ran).size, at).to.equal(runs.ran.length)
      const state = await storage.runs.lastEvent('ada', run?.id ?? '', 'run-state')
      if (run?.status === 'done' && state?.type === 'run-state') {
        expect(state.values, at).to.deep.equal({ ended: state.step })
      }
      return { status: run?.status, requests: flaky.requests }
    } finally {
      await runs.close()
      await storage.close()
    }
  }

  for (const [row, [name, { last, ...way }]] of Object.entries(WAYS).entries()) {
    for (const retries of [0, 2]) {
      it(`keeps all that is stored in agreement where it ${name}, with ${retries} retries`, async () => {
        const statuses = new Set<string | undefined>()
        for (const { step, events } of sampled(PLACES, 7, row + 3 * retries)) {
          const all = [...events, ...(last ? [last as PartialEvent] : [])]
          statuses.add((await ranWith(step, { ...way, events: all }, retries)).status)
        }
        const expected = statusAfter(WAYS[name] ?? {}, retries)
        if (expected) expect([...statuses]).to.deep.equal([expected])
      })
    }
  }

  it('keeps with the results before it what an empty answer used', async () => {
    const [, second = []] = STEP_EVENTS
    expect(await ranWith(1, { events: second.slice(0, 1) }, 0)).to.include({ status: 'done' })
  })

  it('keeps all that is stored in agreement where it is stopped in an answer', async () => {
    for (const { step, events: begun } of sampled(PLACES, 7)) {
      let stop = (): void => undefined
      const silent: Play = { events: begun, isSilent: true, onSilence: () => stop() }
      const plays = STEP_EVENTS.map((events): Play => ({ events })).with(step, silent)
      const provider = new Flaky(...plays).plugin('p', { getTags: () => ['tools'] })
      const runs = await FailingRuns.create({ provider, talks: ['one'] })
      stop = () => void runs.stop('one')
      const storage = memoryStorage()
      await runs.prepare(storage)
      await runs.begin(storage)
      const at = `step ${step + 1}, ${begun.length} events`
      await expectAgreement(storage, async () => memoryStorage(), at)
      const [run] = await runs.runs(storage)
      expect(run, at).to.include({ status: 'aborted' })
      await runs.close()
    }
  })
})
