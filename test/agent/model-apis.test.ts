import { expect } from 'chai'
import anthropic from '../../providers/anthropic/index.ts'
import openai from '../../providers/openai/index.ts'
import compatible from '../../providers/openai-compatible/index.ts'
import type { Api } from '../../scripts/replay/content.ts'
import { streamText } from '../../scripts/replay/envelope.ts'
import { ReplayServer, type Reply } from '../../scripts/replay/replay-server.ts'
import { jsonReply, streamReply } from '../../scripts/replay/replies.ts'
import { CircuitBreakers, type RunOptions } from '../../src/agent/index.ts'
import { createHost, type Host } from '../../src/core/index.ts'
import type { Message } from '../../src/plugin/events/index.ts'
import { replyWith } from '../helpers/api-answers.ts'
import { HAS_ALL_CASES, sampled } from '../helpers/cases.ts'
import { schema, tool } from '../helpers/plugins.ts'
import { expectAgreement, type RecordedRun, recordedRun } from './recorded-run.ts'

const APIS: { readonly [A in Api]: string } = {
  chat: 'openai-compatible',
  responses: 'openai',
  messages: 'anthropic',
}

/** After how many events of a stream text is shown. */
const SHOWN_AFTER: { readonly [A in Api]: number } = { chat: 1, responses: 3, messages: 3 }

/** Two answers with a call, and one without. */
const SAID = [
  { text: 'First.', calls: [{ id: 'a1', name: 'look', input: { n: 1 } }] },
  { text: 'Second.', calls: [{ id: 'a2', name: 'look', input: { n: 2 } }] },
  { text: 'Done.' },
] as const

/** The error that an API sends within a stream. */
const STREAM_ERRORS: { readonly [A in Api]: object } = {
  chat: { error: { message: 'it broke', type: 'server_error', code: 'server_error' } },
  responses: { type: 'error', code: 'server_error', message: 'it broke' },
  messages: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
}

/** How a stream fails after some of its events. */
const WAYS: { readonly [way: string]: (api: Api, pieces: readonly string[]) => Reply } = {
  'is lost': (_api, pieces) => streamReply(pieces, { ending: 'lost' }),
  'ends early': (_api, pieces) => streamReply(pieces),
  'has an error': (api, pieces) =>
    streamReply([...pieces, streamText(api, [JSON.stringify(STREAM_ERRORS[api])])]),
  'has nonsense': (_api, pieces) => streamReply([...pieces, 'data: {"type":\n\n']),
  'falls silent': (_api, pieces) => streamReply(pieces, { ending: 'never' }),
}

/** How a request is refused, and what a run makes of it. */
const REFUSALS = [
  { status: 429, code: 'RATE_LIMITED', isRepeated: true },
  { status: 500, code: 'PROVIDER_FAILED', isRepeated: true },
  { status: 503, code: 'OVERLOADED', isRepeated: true },
  { status: 504, code: 'TIMEOUT', isRepeated: true },
  { status: 529, code: 'OVERLOADED', isRepeated: true },
  { status: 400, code: 'INVALID_REQUEST', isRepeated: false },
  { status: 401, code: 'PROVIDER_UNAUTHORIZED', isRepeated: false },
] as const

const RETRY = { max_retries: 2, backoff_base_ms: 1, overloaded_backoff_base_ms: 1 }
const IMPATIENT = { ...RETRY, stream_idle_timeout_secs: 0.05 }

describe('a run of three steps that repeats requests to a model API', function () {
  this.timeout(HAS_ALL_CASES ? 120_000 : 60_000)
  let server: ReplayServer
  let host: Host
  before(async () => {
    server = await new ReplayServer().start()
    const look = tool('looks', {
      getToolSchemas: () => [schema('look', { safety: { is_read_only: true } })],
      executeTool: ({ input }: { input: { n: number } }) => `seen ${input.n}`,
    })
    host = await createHost({ plugins: [openai, compatible, anthropic, look] })
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  /** Runs with an API that gives these replies in order, instead of what it would answer. */
  async function ran(
    api: Api,
    replies: (request: number, usual: Reply) => Reply,
    options: Partial<RunOptions> = {},
  ): Promise<RecordedRun> {
    server.requests.length = 0
    const name = APIS[api]
    const steps = SAID.map((said) => replyWith(api, said, true))
    server.reply = ({ body }) => {
      const step = JSON.stringify(body).split('seen ').length - 1
      return replies(server.requests.length, steps[step] ?? expect.fail('no reply'))
    }
    const own = { api_key: 'sk-test-0123456789', base_url: server.url, max_retries: 2 }
    const config = { provider: name, model: 'm', settings: { [name]: own } }
    const breakers = new CircuitBreakers()
    const recorded = await recordedRun(host, { config, retry: RETRY, breakers, ...options })
    expectAgreement(recorded)
    return recorded
  }

  const plainOf = (messages: readonly Message[]): unknown =>
    messages.map(({ role, parts }) => ({ role, parts }))

  for (const [column, api] of (Object.keys(APIS) as Api[]).entries()) {
    const places = SAID.flatMap((said, index) =>
      placesIn(eventsOf(replyWith(api, said, true)).length).map((at) => [index + 1, at] as const),
    )

    for (const [row, [way, fail]] of Object.entries(WAYS).entries()) {
      const retry = way === 'falls silent' ? IMPATIENT : RETRY

      it(`AW-23 ends as if nothing had failed, wherever a stream ${way} (${api})`, async () => {
        const undisturbed = await ran(api, (_request, usual) => usual)
        expect(undisturbed.result.status).to.equal('done')
        for (const [step, at] of sampled(places, 4, row + column)) {
          const failing = (request: number, usual: Reply) =>
            request === step ? fail(api, eventsOf(usual).slice(0, at)) : usual
          const { result, events } = await ran(api, failing, { retry })
          const where = `step ${step}, after ${at} events`
          expect(result.status, `${where}: ${result.error?.message}`).to.equal('done')
          expect(plainOf(result.messages), where).to.deep.equal(
            plainOf(undisturbed.result.messages),
          )
          const told = events.filter(({ type }) => type === 'model-failed')
          // An API may have said everything before its stream ends.
          expect(told.length, where).to.equal(server.requests.length - SAID.length)
        }
      })

      const failures = [
        [0, true],
        [0, false],
        [SHOWN_AFTER[api], true],
        [SHOWN_AFTER[api], false],
      ] as const
      for (const [at, canReset] of sampled(failures, 4, row + column)) {
        const where = `after ${at} events, ${canReset ? 'with' : 'without'} resets`
        it(`AW-26 agrees with its history where every stream ${way} ${where} (${api})`, async () => {
          const failing = (_request: number, usual: Reply) =>
            fail(api, eventsOf(usual).slice(0, at))
          const { result, events } = await ran(api, failing, { canReset, retry })
          expect(result.status).to.equal('failed')
          const isShown = at > 0
          const told = events.filter((event) => event.type === 'model-failed')
          expect(told.every((event) => event.isShown === isShown)).to.equal(true)
          expect(server.requests.length).to.equal(isShown && !canReset ? 1 : 3)
        })
      }
    }

    it(`AW-21 is the only one that repeats: the provider sends each request once (${api})`, async () => {
      for (const { status, code, isRepeated } of sampled(REFUSALS, 3, column)) {
        const refusal = jsonReply({ error: { message: 'no' } }, { status })
        const { result } = await ran(api, () => refusal)
        expect(result.error?.code, String(status)).to.equal(code)
        expect(server.requests, String(status)).to.have.length(isRepeated ? 3 : 1)
        const counts = server.requests.map(({ headers }) => headers['x-stainless-retry-count'])
        expect(new Set(counts), String(status)).to.have.all.keys('0')
      }
    })

    it(`AW-21 leaves the retries to the provider without a section (${api})`, async () => {
      const headers = { 'retry-after-ms': '1' }
      const refusal = jsonReply({ error: { message: 'no' } }, { status: 503, headers })
      const { result, events } = await ran(api, () => refusal, { retry: undefined as never })
      expect(server.requests).to.have.length(3)
      expect(result.warnings.join()).to.not.include('max_retries')
      expect(events.some(({ type }) => type === 'model-failed')).to.equal(false)
    })

    it(`AW-25 sends one request with max_retries 0 (${api})`, async () => {
      const refusal = jsonReply({ error: { message: 'no' } }, { status: 503 })
      await ran(api, () => refusal, { retry: { max_retries: 0 } })
      expect(server.requests).to.have.length(1)
    })

    it(`AW-21 warns that the provider's own max_retries has no effect (${api})`, async () => {
      const { result } = await ran(api, (_request, usual) => usual)
      const warnings = result.warnings.filter((warning) => warning.includes('max_retries'))
      expect(warnings).to.have.length(1)
      expect(warnings[0]).to.match(/^"settings\..*\.max_retries" has no effect/)
    })
  }

  it('AW-22 waits as long as the model API asks for', async () => {
    const headers = { 'retry-after-ms': '70' }
    const refusal = jsonReply({ error: { message: 'no' } }, { status: 429, headers })
    const { events } = await ran('chat', (request, usual) => (request === 1 ? refusal : usual))
    const failed = events.find(({ type }) => type === 'model-failed')
    expect(failed).to.deep.include({
      delayMs: 70,
      error: { code: 'RATE_LIMITED', status: 429, retryAfter: 0.07 },
    })
  })
})

function eventsOf({ pieces }: Reply): readonly string[] {
  return String(pieces[0]).split(/(?<=\n\n)/)
}

/** Where a stream of that many events breaks off. The default tier takes some places. */
function placesIn(size: number): readonly number[] {
  const all = Array.from({ length: size }, (_, at) => at)
  return HAS_ALL_CASES ? all : all.filter((at) => at < 2 || at === size - 1)
}
