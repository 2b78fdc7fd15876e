import { expect } from 'chai'
import {
  type AgentRuntime,
  type AgentSpec,
  CircuitBreakers,
  createRuntime,
  type ModelPool,
  type ModelSpec,
  type RunOptions,
} from '../../../src/agent/index.ts'
import { declaredRuntime } from '../../../src/agent/runtime/index.ts'
import { createHost, type Host } from '../../../src/core/index.ts'
import { HostError } from '../../../src/plugin/errors.ts'
import {
  type ModelChosenEvent,
  type ModelFailedEvent,
  type PartialEvent,
  textOf,
} from '../../../src/plugin/events/index.ts'
import { textEvents, typesOf } from '../../helpers/hosts.ts'
import { schema, tool } from '../../helpers/plugins.ts'
import { ANSWER, CUT, Flaky, OVERLOADED, QuickTime, REFUSED } from '../flaky-provider.ts'
import { expectAgreement, type RecordedRun, recordedRun } from '../recorded-run.ts'

const SMALL: ModelSpec = {
  id: 'small',
  provider_id: 'first',
  upstream_model: 'm1',
  context_window: 8000,
  modalities: { input: ['text'] },
}
const BIG: ModelSpec = {
  id: 'big',
  provider_id: 'second',
  upstream_model: 'm2',
  context_window: 200_000,
  max_output_tokens: 9000,
  modalities: { input: ['text', 'image'], output: ['text'] },
}
const POOL: ModelPool = { id: 'any', candidates: ['small', 'big'] }
const AGENT: AgentSpec = { id: 'a', model_id: 'any' }

const CALL: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c', name: 'look' },
  { type: 'tool-call-end', id: 'c', input: {} },
]

const errorOf = async (work: Promise<unknown>): Promise<HostError> => {
  const thrown = await work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  return HostError.is(thrown) ? thrown : expect.fail(String(thrown))
}

const chosenIn = ({ events }: RecordedRun): readonly ModelChosenEvent[] =>
  events.filter((event) => event.type === 'model-chosen')
const failuresIn = ({ events }: RecordedRun): readonly ModelFailedEvent[] =>
  events.filter((event) => event.type === 'model-failed')

describe('a pool of models', () => {
  let host: Host
  let first: Flaky
  let second: Flaky
  const opened: Host[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  async function runtimeOf(
    agent: Partial<AgentSpec> = {},
    models: readonly (ModelSpec | ModelPool)[] = [SMALL, BIG, POOL],
    [one, two]: readonly [Flaky, Flaky] = [new Flaky(ANSWER), new Flaky(ANSWER)],
  ): Promise<AgentRuntime> {
    first = one
    second = two
    const look = tool('looks', {
      getToolSchemas: () => [schema('look')],
      executeTool: () => 'seen',
    })
    const zoom = tool('zooms', { requires: ['tools'], schemas: ['zoom'] })
    const plugins = [one.plugin('first'), two.plugin('second', { tags: ['tools'] }), look, zoom]
    host = await createHost({ plugins })
    opened.push(host)
    return createRuntime({ host, agents: [{ ...AGENT, ...agent }], models })
  }

  /** Runs the agent with providers that answer so. */
  async function ran(
    flaky: readonly [Flaky, Flaky],
    agent: Partial<AgentSpec> = {},
    options: Partial<RunOptions> = {},
  ): Promise<RecordedRun> {
    const runtime = await runtimeOf(agent, [SMALL, BIG, POOL], flaky)
    const { routing, retry } = await runtime.resolve('a')
    const { environment } = new QuickTime()
    const own = { routing, environment, ...(retry ? { retry } : {}) }
    const recorded = await recordedRun(host, { ...own, ...options })
    expectAgreement(recorded)
    return recorded
  }

  it('AW-04 is what an agent names as its model, and so is a model', async () => {
    const runtime = await runtimeOf()
    const { model, routing } = await runtime.resolve('a')
    expect(model).to.deep.equal(SMALL)
    expect(routing.candidates.map(({ choice }) => choice)).to.deep.equal([
      { id: 'small', provider: 'first', model: 'm1' },
      { id: 'big', provider: 'second', model: 'm2' },
    ])
    await runtime.addAgent({ id: 'b', model_id: 'big' })
    expect((await runtime.resolve('b')).routing).to.deep.include({ requested: 'big', excluded: [] })
  })

  it('AW-04 is refused where its id is a model too, or where a model or its provider is missing', async () => {
    const wrong = async (...models: readonly (ModelSpec | ModelPool)[]) =>
      errorOf((await runtimeOf({}, models)).resolve('a'))
    expect(await wrong(SMALL, BIG, POOL, { ...BIG, id: 'any' })).to.include({
      code: 'AMBIGUOUS_MODEL_REFERENCE',
      pointer: '/model_id',
    })
    const lost = await wrong(SMALL, { id: 'any', candidates: ['small', 'smal'] })
    expect(lost.code).to.equal('MODEL_NOT_FOUND')
    expect(lost.message).to.include('The pool "any" refers to it').and.include('"small"?')
    const foreign = await wrong(SMALL, { ...BIG, provider_id: 'third' }, POOL)
    expect(foreign.code).to.equal('PROVIDER_NOT_FOUND')
    const none = await errorOf((await runtimeOf({ model_id: 'ani' })).resolve('a'))
    expect(none.message).to.match(/There is no model "ani".*Did you mean "any"\?/)
  })

  it('AW-04 is declared as a list of ids and models, or as an object', async () => {
    await runtimeOf()
    const { id: _, ...inline } = BIG
    const { runtime, faults } = await declaredRuntime(host, {
      agents: { a: { model_id: 'list' }, b: { model_id: 'object' } },
      models: {
        small: { provider_id: 'first', upstream_model: 'm1' },
        list: ['small', inline],
        object: { candidates: [{ ...inline, id: 'own' }], requires: { context_window: 9 } },
        bad: ['small', { provider_id: 'second', upstream: 'm' }],
        worse: { candidates: ['small'], require: {} },
      },
    })
    const idsOf = async (id: string) =>
      (await runtime.resolve(id)).routing.candidates.map(({ choice }) => choice.id)
    expect(await idsOf('a')).to.deep.equal(['small', 'list.2'])
    expect(await idsOf('b')).to.deep.equal(['own'])
    expect(faults.map(({ pointer }) => pointer)).to.deep.equal([
      '/models/bad/candidates/1/upstream_model',
      '/models/worse/require',
    ])
    expect(faults[1]?.message).to.include('Did you mean "requires"?')
  })

  it('LR-10 leaves out models that lack what it requires, with the reasons', async () => {
    const requires = {
      context_window: 100_000,
      max_output_tokens: 4000,
      modalities: { input: ['image'], output: ['text'] },
      tags: ['tools'],
    }
    const runtime = await runtimeOf({}, [SMALL, BIG, { ...POOL, requires }])
    const { routing, model } = await runtime.resolve('a')
    expect(model).to.deep.equal(BIG)
    expect(routing.required).to.deep.equal(requires)
    expect(routing.excluded).to.deep.equal([
      {
        id: 'small',
        provider: 'first',
        model: 'm1',
        reason:
          'its context window has 8000 tokens instead of 100000; its longest output is not known; it does not take "image"; it is not known whether it can make "text"; the tag "tools" is missing',
      },
    ])
  })

  it('LR-10 tells all reasons where no model fits', async () => {
    const requires = { context_window: 1_000_000, tags: ['vision'] }
    const runtime = await runtimeOf({}, [SMALL, BIG, { ...POOL, requires }])
    const error = await errorOf(runtime.resolve('a'))
    expect(error.code).to.equal('MODEL_UNFIT')
    expect(error.message.split('\n')).to.deep.equal([
      'No model of the pool "any", which the agent "a" asks, has what the pool requires:',
      '- small: its context window has 8000 tokens instead of 1000000; the tag "vision" is missing',
      '- big: its context window has 200000 tokens instead of 1000000; the tag "vision" is missing',
    ])
  })

  it('LR-09 is told at the start of a run: what was asked for, and which model is asked', async () => {
    const recorded = await ran([new Flaky(ANSWER), new Flaky(ANSWER)])
    expect(chosenIn(recorded)).to.have.length(1)
    expect(chosenIn(recorded)[0]).to.deep.include({
      requested: 'any',
      candidates: [
        { id: 'small', provider: 'first', model: 'm1' },
        { id: 'big', provider: 'second', model: 'm2' },
      ],
      excluded: [],
      chosen: { id: 'small', provider: 'first', model: 'm1' },
      reason: 'It is the first candidate.',
    })
    expect(typesOf(recorded.events).slice(0, 2)).to.deep.equal(['start', 'model-chosen'])
  })

  it('LR-10 says of a single candidate that it is the only one', async () => {
    const runtime = await runtimeOf({ model_id: 'big' })
    const stream = await runtime.run('a', { messages: 'go' })
    const reasons: string[] = []
    for await (const event of stream) if (event.type === 'model-chosen') reasons.push(event.reason)
    expect(reasons).to.deep.equal(['It is the only candidate.'])
  })

  it('LR-11 goes on with the next model when one fails beyond its retries', async () => {
    const recorded = await ran([new Flaky({ error: OVERLOADED }), new Flaky(ANSWER)], {
      sections: { retry: { max_retries: 1 } },
    })
    expect([first.requests, second.requests]).to.deep.equal([2, 1])
    expect(recorded.result.status).to.equal('done')
    expect(failuresIn(recorded).map(({ next, attempt }) => [next, attempt])).to.deep.equal([
      ['retry', 1],
      ['fallback', 2],
    ])
    expect(chosenIn(recorded).at(-1)).to.deep.include({
      chosen: { id: 'big', provider: 'second', model: 'm2' },
      reason: 'The model "small" failed (OVERLOADED).',
    })
    expect(typesOf(recorded.events)).to.not.include('step-reset')
  })

  it('LR-11 asks the next model at once where one asks for a longer wait than its config allows', async () => {
    const limited = { error: { code: 'RATE_LIMITED', status: 429, retryAfter: 3 } }
    const agent = {
      config: { limits: { retry_after: 1 } },
      sections: { retry: { max_retries: 2 } },
    }
    const recorded = await ran([new Flaky(limited), new Flaky(ANSWER)], agent)
    expect([first.requests, second.requests]).to.deep.equal([1, 1])
    expect(failuresIn(recorded).map(({ next }) => next)).to.deep.equal(['fallback'])
  })

  it('LR-11 goes on without the section too, after output with a reset', async () => {
    const half = { events: textEvents('half').slice(0, 2), error: CUT }
    const recorded = await ran([new Flaky(half), new Flaky(ANSWER)])
    expect([first.requests, second.requests]).to.deep.equal([1, 1])
    expect(typesOf(recorded.events)).to.include('step-reset')
    expect(recorded.result.messages.map(textOf)).to.deep.equal(['fine'])
  })

  it('LR-11 ends after output that its readers cannot discard, and after what would fail again', async () => {
    const half = { events: textEvents('half').slice(0, 2), error: CUT }
    const shown = await ran([new Flaky(half), new Flaky(ANSWER)], {}, { canReset: false })
    expect(shown.result.error?.code).to.equal('STREAM_INTERRUPTED')
    const refused = await ran([new Flaky({ error: REFUSED }), new Flaky(ANSWER)])
    expect(refused.result.error?.code).to.equal('INVALID_REQUEST')
    expect(second.requests).to.equal(0)
  })

  it('LR-11 ends with the last error where the last model fails too', async () => {
    const recorded = await ran([new Flaky({ error: OVERLOADED }), new Flaky({ error: CUT })])
    expect(recorded.result.error).to.include({ code: 'STREAM_INTERRUPTED', provider: 'second' })
    expect(failuresIn(recorded).map(({ next }) => next)).to.deep.equal(['fallback', 'end'])
  })

  it('LR-11 stays with the model that took over, which runs the tools in its turn', async () => {
    const calling = { events: CALL }
    const recorded = await ran([
      new Flaky({ error: OVERLOADED }, ANSWER),
      new Flaky(calling, calling, ANSWER),
    ])
    expect([first.requests, second.requests]).to.deep.equal([1, 3])
    expect(recorded.result).to.include({ status: 'done', steps: 3 })
    const ends = recorded.events.filter(({ type }) => type === 'tool-execution-end')
    expect(ends).to.have.length(2)
  })

  it('LR-11 tells a failure of the last model in a later step too', async () => {
    const recorded = await ran([
      new Flaky({ error: OVERLOADED }),
      new Flaky({ events: CALL }, { error: CUT }),
    ])
    expect(failuresIn(recorded).map(({ step, next }) => [step, next])).to.deep.equal([
      [1, 'fallback'],
      [2, 'end'],
    ])
  })

  it('LR-11 skips a model whose circuit breaker is open', async () => {
    const breakers = new CircuitBreakers()
    const failing = new Flaky({ error: OVERLOADED })
    const fine = new Flaky(ANSWER)
    for (let times = 0; times < 6; times++) await ran([failing, fine], {}, { breakers })
    expect([failing.requests, fine.requests]).to.deep.equal([5, 6])
  })

  it('LR-11 tells the tools again where those of the next model are different', async () => {
    const recorded = await ran([new Flaky({ error: OVERLOADED }), new Flaky(ANSWER)])
    const inventories = recorded.events.flatMap((event) =>
      event.type === 'tool-inventory' ? [event.tools] : [],
    )
    const offered = inventories.map((tools) => tools.filter((one) => one.offered).length)
    expect(offered).to.deep.equal([1, 2])
  })
})
