import { expect } from 'chai'
import { CircuitBreakers, type RunOptions } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import type { ModelFailedEvent, PartialEvent, RunEvent } from '../../src/plugin/events/index.ts'
import { textOf } from '../../src/plugin/events/index.ts'
import { textEvents, typesOf } from '../helpers/hosts.ts'
import { extension } from '../helpers/plugins.ts'
import { ANSWER, CUT, Flaky, OVERLOADED, QuickTime, REFUSED } from './flaky-provider.ts'
import { expectAgreement, type RecordedRun, recordedRun } from './recorded-run.ts'

const USED: PartialEvent = { type: 'metadata', metadata: { usage: { input: 5, output: 1 } } }
const HALF = { events: [USED, ...textEvents('half').slice(0, 2)] }

const failuresIn = ({ events }: RecordedRun): readonly ModelFailedEvent[] =>
  events.filter((event) => event.type === 'model-failed')

const shownIn = ({ events }: RecordedRun): string =>
  events.reduce((text, event) => {
    if (event.type === 'step-reset') return ''
    return event.type === 'text-delta' ? text + event.delta : text
  }, '')

describe('a run that repeats requests', () => {
  let time: QuickTime
  beforeEach(() => {
    time = new QuickTime()
  })

  async function ran(
    flaky: Flaky,
    options: Partial<RunOptions> = {},
    plugins: readonly unknown[] = [],
  ): Promise<RecordedRun> {
    await using host: Host = await createHost({ plugins: [flaky.plugin(), ...plugins] })
    const { environment } = time
    const recorded = await recordedRun(host, { environment, retry: { max_retries: 3 }, ...options })
    expectAgreement(recorded)
    return recorded
  }

  it('AW-22 makes max_retries + 1 tries, and reports the last error', async () => {
    const errors = [OVERLOADED, CUT, { code: 'RATE_LIMITED', retryAfter: 20 }, OVERLOADED]
    const flaky = new Flaky(...errors.map((error) => ({ error })))
    const { result } = await ran(flaky)
    expect(flaky.requests).to.equal(4)
    expect(time.waits).to.deep.equal([2000, 1000, 20_000])
    expect(result).to.include({ status: 'failed' })
    expect(result.error).to.include({ code: 'OVERLOADED', status: 529, provider: 'p' })
  })

  it('AW-22 waits as long as a model API asks for, without a cap', async () => {
    const error = { code: 'RATE_LIMITED', retryAfter: 3600 }
    const { result } = await ran(new Flaky({ error }, ANSWER))
    expect(time.waits).to.deep.equal([3_600_000])
    expect(result.status).to.equal('done')
  })

  it('ends with the error where a model API asks for longer waits than the config says that it may', async () => {
    const config = { limits: { retry_after: 60 } }
    const limited = (retryAfter: number) => ({ error: { code: 'RATE_LIMITED', retryAfter } })
    const once = await ran(new Flaky(limited(3600)), { config })
    expect(once.result.error).to.include({ code: 'RATE_LIMITED', retryAfter: 3600 })
    expect(time.waits).to.deep.equal([])
    const flaky = new Flaky(limited(25))
    const summed = await ran(flaky, { config })
    expect(time.waits).to.deep.equal([25_000, 25_000])
    expect(failuresIn(summed).at(-1)).to.include({
      next: 'end',
      reason:
        'The model API asks for a wait of 25 seconds, which is longer than "limits.retry_after" allows.',
    })
  })

  it('asks nothing where it cannot understand how often', async () => {
    const flaky = new Flaky(ANSWER)
    const retry = { max_retries: 3, max_attempts: 3 }
    const { result } = await ran(flaky, { retry })
    expect(flaky.requests).to.equal(0)
    expect(result.error).to.include({ code: 'OPTION_INVALID', pointer: '/retry/max_attempts' })
    expect(result.error?.message).to.include('max_attempts')
  })

  it('AW-22 takes the first answer', async () => {
    const flaky = new Flaky({ error: OVERLOADED }, ANSWER)
    const { result } = await ran(flaky)
    expect(textOf(result.messages[0] ?? expect.fail('no answer'))).to.equal('fine')
    expect(flaky.requests).to.equal(2)
  })

  it('AW-22 ends at once when it is cancelled while it waits', async () => {
    const cancel = new AbortController()
    time.onWait = () => cancel.abort('enough')
    const flaky = new Flaky({ ...HALF, error: OVERLOADED }, ANSWER)
    const recorded = await ran(flaky, { signal: cancel.signal })
    expect(recorded.result.status).to.equal('aborted')
    expect(recorded.result.messages).to.deep.equal([])
    expect(flaky.requests).to.equal(1)
    expect(typesOf(recorded.events).slice(-3)).to.deep.equal([
      'model-failed',
      'step-reset',
      'abort',
    ])
  })

  it('AW-23 never repeats what would fail again', async () => {
    const flaky = new Flaky({ error: REFUSED }, ANSWER)
    const recorded = await ran(flaky)
    expect(flaky.requests).to.equal(1)
    expect(recorded.result.error?.code).to.equal('INVALID_REQUEST')
    expect(failuresIn(recorded)).to.have.length(1)
    expect(failuresIn(recorded)[0]).to.deep.include({
      next: 'end',
      error: { code: 'INVALID_REQUEST', status: 400 },
      reason: 'Such a failure is never repeated.',
    })
    expect(failuresIn(recorded)[0]).to.not.have.property('failure')
  })

  it('AW-23 never repeats a failure of another plugin', async () => {
    const flaky = new Flaky(ANSWER)
    const broken = extension('broken', {
      fromNative: () => {
        throw Object.assign(new Error('no'), { code: 'PROVIDER_FAILED', retryable: true })
      },
    })
    const { result } = await ran(flaky, {}, [broken])
    expect(result.error).to.include({ code: 'PROVIDER_FAILED', plugin: 'broken' })
    expect(flaky.requests).to.equal(1)
  })

  it('AW-24 hides a failure before the first content, but for the event of the decision', async () => {
    const begun = { events: [USED, ...textEvents('x').slice(0, 1)], error: CUT }
    const recorded = await ran(new Flaky(begun, begun, ANSWER))
    const types = typesOf(recorded.events)
    expect(types).to.not.include('step-reset')
    expect(types.filter((type) => type === 'text-start')).to.have.length(1)
    expect(types.filter((type) => type === 'model-failed')).to.have.length(2)
    expect(types.indexOf('model-failed')).to.be.lessThan(types.indexOf('text-start'))
  })

  it('AW-24 tells readers to drop what they were shown', async () => {
    const recorded = await ran(new Flaky({ ...HALF, error: CUT }, ANSWER))
    expect(shownIn(recorded)).to.equal('fine')
    const reset = recorded.events.find(({ type }) => type === 'step-reset')
    expect(reset).to.deep.include({
      step: 1,
      reason: 'The request to the model failed (STREAM_INTERRUPTED).',
    })
  })

  it('AW-24 repeats at most max_stream_retries times after output', async () => {
    const flaky = new Flaky({ ...HALF, error: CUT })
    const recorded = await ran(flaky, { retry: { max_retries: 5, max_stream_retries: 1 } })
    expect(flaky.requests).to.equal(2)
    expect(failuresIn(recorded).at(-1)?.reason).to.include('after output')
    expect(shownIn(recorded)).to.equal('half')
  })

  it('AW-24 counts what the discarded requests used', async () => {
    const { result, answers, events } = await ran(new Flaky({ ...HALF, error: CUT }, ANSWER))
    expect(result.usage).to.deep.equal({ input: 5, output: 1 })
    expect(answers.map((answer) => answer.result.status)).to.deep.equal(['failed', 'done'])
    const failed = events.find(({ type }) => type === 'model-failed')
    expect(failed).to.deep.include({ usage: { input: 5, output: 1 } })
  })

  it('AW-25 wraps nothing with max_retries 0', async () => {
    const flaky = new Flaky({ ...HALF, error: OVERLOADED }, ANSWER)
    const recorded = await ran(flaky, { retry: { max_retries: 0 } })
    expect(flaky.requests).to.equal(1)
    expect(failuresIn(recorded)).to.deep.equal([])
    expect(shownIn(recorded)).to.equal('half')
  })

  it('AW-26 ends in the error after output that its readers cannot discard', async () => {
    const flaky = new Flaky({ error: OVERLOADED }, { ...HALF, error: CUT }, ANSWER)
    const recorded = await ran(flaky, { canReset: false })
    expect(flaky.requests).to.equal(2)
    expect(recorded.result.error?.code).to.equal('STREAM_INTERRUPTED')
    expect(typesOf(recorded.events)).to.not.include('step-reset')
    expect(failuresIn(recorded).at(-1)?.reason).to.include('cannot discard')
  })

  it('AW-23 sends nothing while the circuit breaker is open, and says until when', async () => {
    const breakers = new CircuitBreakers()
    const flaky = new Flaky({ error: OVERLOADED })
    const retry = { max_retries: 4, overloaded_backoff_base_ms: 0 }
    const first = await ran(flaky, { breakers, retry })
    expect(failuresIn(first).map(({ breaker }) => breaker)).to.deep.equal([
      ...Array.from({ length: 4 }, () => 'closed'),
      'open',
    ])
    time.pass(10_000)
    const second = await ran(flaky, { breakers, retry })
    expect(flaky.requests).to.equal(5)
    expect(second.result.error).to.include({
      code: 'CIRCUIT_OPEN',
      retryAfter: 20,
      provider: 'p',
    })
    expect(second.result.error?.message).to.include(
      new Date(time.environment.now() + 20_000).toISOString(),
    )
    expect(failuresIn(second)).to.have.length(1)
    expect(failuresIn(second)[0])
      .to.include({
        breaker: 'open',
        next: 'end',
        reason: 'The circuit breaker of the model is open.',
      })
      .and.not.have.property('failure')
    time.pass(20_000)
    await ran(flaky, { breakers, retry: { max_retries: 1 } })
    expect(flaky.requests).to.equal(7)
  })

  it('LR-11 tells each decision: the model, the error, the wait and the reason', async () => {
    const recorded = await ran(new Flaky({ error: OVERLOADED }, ANSWER))
    const [{ runId: _, seq: _seq, at: _at, ...failed }] = failuresIn(recorded) as [
      ModelFailedEvent & Partial<RunEvent>,
    ]
    expect(failed).to.deep.equal({
      type: 'model-failed',
      step: 1,
      model: { provider: 'p' },
      attempt: 1,
      error: { code: 'OVERLOADED', status: 529 },
      failure: 'overloaded',
      isShown: false,
      breaker: 'closed',
      next: 'retry',
      delayMs: 2000,
      reason: 'Such a failure may be repeated.',
    })
  })
})
