import { expect } from 'chai'
import { answer, send, stream } from '../../../src/core/chain/index.ts'
import { MemoryValues } from '../../../src/core/storage.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import type { PartialEvent } from '../../../src/plugin/events/index.ts'
import { drain, errorOf } from '../../helpers/plugins.ts'
import { timers } from '../../helpers/timers.ts'
import { configOf, requestOf, rules } from './ask.ts'

interface Failed {
  readonly error: HostError
  readonly events: readonly PartialEvent[]
}

const TEXT = 'one two three four'

async function streamUntilFault(fault: unknown): Promise<Failed> {
  const config = configOf({ script: rules([undefined, { text: TEXT, fault }]) })
  const request = await requestOf('Go', config, [], {})
  const events: PartialEvent[] = []
  const error = await errorOf(
    answer(request, 'stream', (list) => {
      events.push(...(list as readonly PartialEvent[]))
      return undefined
    }),
  )
  return { error, events }
}

async function sendUntilFault(fault: unknown): Promise<HostError> {
  const config = configOf({ script: rules([undefined, { text: TEXT, fault }]) })
  return errorOf(send(await requestOf('Go', config, [], {})))
}

function textIn(events: readonly PartialEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.delta : '')).join('')
}

describe('faults of the scripted provider', () => {
  const faults: readonly [
    fault: string,
    code: string,
    status: number | undefined,
    retryable: boolean,
  ][] = [
    ['rate-limit', 'RATE_LIMITED', 429, true],
    ['unauthorized', 'PROVIDER_UNAUTHORIZED', 401, false],
    ['quota', 'QUOTA_EXCEEDED', 429, false],
    ['overloaded', 'OVERLOADED', 529, true],
    ['context-overflow', 'CONTEXT_OVERFLOW', 400, false],
    ['invalid-request', 'INVALID_REQUEST', 400, false],
    ['model-unknown', 'MODEL_UNKNOWN', 404, false],
    ['content-filtered', 'CONTENT_FILTERED', 400, false],
    ['failed', 'PROVIDER_FAILED', 500, true],
    ['cut', 'STREAM_INTERRUPTED', undefined, true],
    ['malformed', 'PROVIDER_FAILED', undefined, true],
  ]
  for (const [fault, code, status, retryable] of faults) {
    it(`end a request with ${code} for "${fault}", in stream and in send`, async () => {
      const { error, events } = await streamUntilFault(fault)
      expect(HostError.is(error)).to.equal(true)
      expect(error).to.include({ code, retryable, provider: 'scripted', plugin: 'scripted' })
      expect(error.status).to.equal(status)
      expect(events).to.deep.equal([])
      expect(await sendUntilFault(fault)).to.include({ code, retryable })
    })

    it(`come after the chunks that are asked for: "${fault}"`, async () => {
      const { error, events } = await streamUntilFault({ type: fault, after_chunks: 2 })
      expect(error.code).to.equal(code)
      expect(textIn(events)).to.equal('one two')
    })

    it(`come at the latest in place of the end: "${fault}"`, async () => {
      const { error, events } = await streamUntilFault({ type: fault, after_chunks: 99 })
      expect(error.code).to.equal(code)
      expect(textIn(events)).to.equal(TEXT)
    })
  }

  it('say when to come again, where they are told to', async () => {
    expect(
      (await streamUntilFault({ type: 'rate-limit', retry_after: 1.5 })).error.retryAfter,
    ).to.equal(1.5)
    expect((await streamUntilFault('rate-limit')).error.retryAfter).to.equal(undefined)
  })

  it('come as often as they are told to in a conversation', async () => {
    const storage = new MemoryValues()
    const config = configOf({ fault: { type: 'overloaded', times: 2 } })
    const codes: (string | undefined)[] = []
    for (let time = 0; time < 3; time++) {
      const request = await requestOf('Hello', config, [], { storage })
      const run = drain((show) => stream(request, show))
      codes.push(
        await run.then(
          () => 'done',
          (error: HostError) => error.code,
        ),
      )
    }
    expect(codes).to.deep.equal(['OVERLOADED', 'OVERLOADED', 'done'])
  })

  it('hold for every answer where the settings name them', async () => {
    const error = await errorOf(send(await requestOf('Hi', configOf({ fault: 'quota' }), [], {})))
    expect(error.code).to.equal('QUOTA_EXCEEDED')
  })

  it('are refused in settings that name no fault', async () => {
    const error = await errorOf(
      requestOf('Hi', configOf({ fault: { after_chunks: 1 } }), [], {}).then(send),
    )
    expect(error).to.include({ code: 'SETTINGS_INVALID', pointer: '/settings/scripted/fault' })
  })

  describe('and cancelling', () => {
    let before: number
    beforeEach(() => {
      before = timers()
    })
    afterEach(() => {
      expect(timers(), 'timers that were left').to.be.at.most(before)
    })

    for (const mode of ['stream', 'send'] as const) {
      it(`let the signal end what stalls, in ${mode}`, async () => {
        const controller = new AbortController()
        const { signal } = controller
        const request = await requestOf('Hi', configOf({ fault: 'stall' }), [], { signal })
        const run = answer(request, mode, () => undefined)
        setImmediate(() => controller.abort('enough'))
        expect(await errorOf(run)).to.include({ code: 'ABORTED', message: 'enough' })
      })
    }

    it('end a wait between chunks at once', async () => {
      const controller = new AbortController()
      const { signal } = controller
      const request = await requestOf('Hello', configOf({ delay_ms: 60_000 }), [], { signal })
      const shown: PartialEvent[] = []
      const run = stream(request, (list) => {
        shown.push(...(list as readonly PartialEvent[]))
        setImmediate(() => controller.abort())
        return undefined
      })
      expect((await errorOf(run)).code).to.equal('ABORTED')
      expect(textIn(shown)).to.equal('Hello!')
    })
  })
})
