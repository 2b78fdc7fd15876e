import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Context } from '../../src/plugin/index.ts'
import { tokenAuthenticator } from '../../src/server/index.ts'
import { Metrics } from '../../src/server/metrics.ts'
import { HAS_ALL_CASES } from '../helpers/cases.ts'
import { eventProvider } from '../helpers/plugins.ts'
import { ROOT } from '../helpers/source-files.ts'
import { Served } from './routes/served.ts'

const messages = [{ role: 'user', content: 'the word is xyzzy' }]

/** The hook of a provider. */
type Stream = (native: unknown, state: unknown, context: Context) => unknown

/** The value of a sample, by its name with labels. */
function sampled(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe('the metrics of a server', () => {
  let served: Served
  let lines: { readonly message: string; readonly [fact: string]: unknown }[]
  beforeEach(() => {
    lines = []
  })
  afterEach(() => served.close())

  async function serve(stream: Stream, info: object = {}): Promise<void> {
    const plugin = eventProvider([], { stream, models: ['m'], getModelInfo: () => info })
    served = await Served.start(
      { models: { quick: { config: { model: 'm' } } }, log: (line) => lines.push(line) },
      { plugins: [plugin], config: { provider: 'p' } },
    )
  }
  const chat = () => served.ask('/v1/chat/completions', { body: { model: 'quick', messages } })
  const metrics = async () => (await served.ask('/metrics')).text
  const said = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'hi' },
    { type: 'text-end', id: '1' },
    { type: 'metadata', metadata: { usage: { input: 7, output: 3 } } },
  ]

  it('are read by admins and monitors, who may do nothing else, and not by users', async () => {
    const tokens = { admin: 'a'.repeat(20), user: 'u'.repeat(20), monitor: 'm'.repeat(20) }
    const roles = ['admin', 'user', 'monitor'] as const
    const authenticate = tokenAuthenticator(
      roles.map((role) => ({ token: tokens[role], id: role, role })),
    )
    served = await Served.start({ authenticate })
    const statusesAt = async (path: string) => {
      const asked = roles.map(async (role) => {
        const headers = { authorization: `Bearer ${tokens[role]}` }
        return (await served.ask(path, { headers })).status
      })
      return await Promise.all(asked)
    }
    expect(await statusesAt('/metrics')).to.deep.equal([200, 404, 200])
    for (const path of ['/api/settings', '/v1/models', '/api/caller'])
      expect(await statusesAt(path), path).to.deep.equal([200, 200, 404])
  })

  it('stand outside of the prefix of a server, which its proxy publishes, and behind its guards', async () => {
    served = await Served.start({ basePath: '/team/chat', hosts: ['localhost'] })
    expect((await served.ask('/metrics')).text).to.include('braidwork_active_runs 0')
    expect((await served.ask('/team/chat/metrics')).status).to.equal(404)
    const headers = { authorization: 'Bearer of-nobody-0123456789' }
    expect((await served.ask('/metrics', { headers })).status).to.equal(401)
    const origin = { origin: 'https://evil.example' }
    expect((await served.ask('/metrics', { headers: origin })).status).to.equal(403)
    await served.close()
    served = await Served.start({ basePath: '/team/chat', hosts: ['chat.example.com'] })
    expect((await served.ask('/metrics')).status).to.equal(421)
  })

  it('have the times, tokens and cost of answers, by model and identity', async () => {
    await serve(() => said, { price: { input: 1_000_000, output: 2_000_000 } })
    await chat()
    await chat()
    const text = await metrics()
    for (const [sample, value] of [
      ['braidwork_runs_total', 2],
      ['braidwork_active_runs', 0],
      ['braidwork_requests_total{route="/v1/chat/completions",status="200"}', 2],
      ['braidwork_response_seconds_count{route="/v1/chat/completions"}', 2],
      ['braidwork_first_output_seconds_count{model="quick"}', 2],
      ['braidwork_answer_seconds_count{model="quick"}', 2],
      ['braidwork_run_seconds_count{model="quick",identity="ada",status="done"}', 2],
      ['braidwork_answer_tokens_sum{model="quick",kind="input"}', 14],
      ['braidwork_tokens_total{model="quick",identity="ada",kind="output"}', 6],
      ['braidwork_cost_dollars_total{model="quick",identity="ada"}', 26],
    ] as const) {
      expect(sampled(text, sample), sample).to.equal(value)
    }
    expect(text).not.to.include('upstream_errors_total{')
  })

  it('count the tokens of an answer that was cut off as its cost counts them, and so does its line', async () => {
    const leaving = new AbortController()
    let isOver: Promise<unknown> = Promise.resolve()
    const [begin, text] = said
    await serve(
      async function* (_native, _state, { signal }) {
        yield begin
        yield { ...text, delta: 'word '.repeat(80) }
        isOver = new Promise((resolve) => signal?.addEventListener('abort', resolve))
        leaving.abort()
        await isOver
      },
      { price: { input: 1_000_000, output: 1_000_000 } },
    )
    const { signal } = leaving
    await served.ask('/v1/chat/completions', { body: { model: 'quick', messages }, signal })
    await isOver
    await served.close()
    const shown = await metrics()
    const tokens = (kind: string) =>
      sampled(shown, `braidwork_tokens_total{model="quick",identity="ada",kind="${kind}"}`) ?? 0
    expect(tokens('input')).to.be.above(5)
    expect(tokens('output')).to.be.at.least(100)
    expect(sampled(shown, 'braidwork_cost_dollars_total{model="quick",identity="ada"}')).to.equal(
      tokens('input') + tokens('output'),
    )
    expect(shown).not.to.include('braidwork_answer_tokens_sum{')
    expect(lines.find(({ message }) => message === 'run')).to.include({
      status: 'aborted',
      inputTokens: tokens('input'),
      outputTokens: tokens('output'),
      estimatedTokens: true,
    })
  })

  it('have the errors of model APIs by known codes', async () => {
    let code = 'RATE_LIMITED'
    await serve(() => {
      throw Object.assign(new Error('xyzzy'), { code })
    })
    await chat()
    code = 'XYZZY'
    await chat()
    const text = await metrics()
    const errors = 'braidwork_upstream_errors_total'
    expect(sampled(text, `${errors}{model="quick",code="RATE_LIMITED"}`)).to.equal(1)
    expect(sampled(text, `${errors}{model="quick",code="other"}`)).to.equal(1)
    expect(text).not.to.match(/xyzzy/i)
    expect(sampled(text, 'braidwork_first_output_seconds_count{model="quick"}')).to.equal(undefined)
  })

  it('have the times of the storage', async () => {
    await serve(() => said)
    await served.ask('/v1/responses', { body: { model: 'quick', input: 'hi', store: true } })
    const text = await metrics()
    const operations = [...text.matchAll(/storage_seconds_count\{operation="([^"]+)"\} [1-9]/g)]
    expect(operations.map(([, name]) => name))
      .to.include('runs.start')
      .and.include('runs.end')
    expect(sampled(text, 'braidwork_commit_queue_seconds_count')).to.be.at.least(1)
  })

  it('have the tokens, costs and errors of embeddings', async () => {
    let embed = (inputs: readonly unknown[]): object => ({
      vectors: inputs.map(() => [1, 0]),
      tokens: 5,
    })
    const price = { input: 1_000_000, output: 0 }
    const plugin = {
      ...eventProvider([], { models: ['m'], getModelInfo: () => ({ price }) }),
      embed: (inputs: readonly unknown[]) => embed(inputs),
    }
    served = await Served.start(
      { models: { quick: { config: { model: 'm' } } } },
      { plugins: [plugin], config: { provider: 'p' } },
    )
    const ask = () => served.ask('/v1/embeddings', { body: { model: 'quick', input: ['a', 'b'] } })
    expect((await ask()).status).to.equal(200)
    embed = () => {
      throw Object.assign(new Error('no'), { code: 'RATE_LIMITED' })
    }
    expect((await ask()).status).to.equal(429)
    const text = await metrics()
    for (const [sample, value] of [
      ['braidwork_tokens_total{model="quick",identity="ada",kind="input"}', 5],
      ['braidwork_answer_tokens_sum{model="quick",kind="input"}', 5],
      ['braidwork_cost_dollars_total{model="quick",identity="ada"}', 5],
      ['braidwork_embeddings_seconds_count{model="quick"}', 2],
      ['braidwork_upstream_errors_total{model="quick",code="RATE_LIMITED"}', 1],
    ] as const) {
      expect(sampled(text, sample), sample).to.equal(value)
    }
  })

  it('have no series for names that clients make up', async () => {
    await serve(() => said)
    const seriesOf = async () => (await metrics()).split('\n').length
    const flood = async (from: number, to: number) => {
      for (let at = from; at < to; at++) {
        const body = { model: `model-${at}`, messages, input: 'x' }
        await served.ask('/v1/chat/completions', { body, headers: { 'user-agent': `agent-${at}` } })
        await served.ask(`/path-${at}`, { method: at % 2 === 0 ? 'GET' : `METHOD${at}` })
        await served.ask('/v1/models', { headers: { authorization: `Bearer ${at}` } })
      }
    }
    await flood(0, 10)
    // The route of the metrics has a series from its second request on.
    await metrics()
    const few = await seriesOf()
    await flood(10, HAS_ALL_CASES ? 190 : 40)
    expect(await seriesOf()).to.equal(few)
  })

  it('give no more labels to identities than a hundred', async () => {
    await serve(() => said)
    const all = await Metrics.create()
    for (let at = 0; at < 10_000; at++) {
      all.addRun({ model: 'm', identity: `user-${at}`, status: 'done', seconds: 1 })
    }
    const text = await all.print(0)
    const counts = text.match(/^braidwork_run_seconds_count/gm)
    expect(counts).to.have.length(101)
    const other = 'braidwork_run_seconds_count{model="m",identity="other",status="done"}'
    expect(sampled(text, other)).to.equal(9900)
  })

  it('have beside them a log of requests and runs, without contents', async () => {
    await serve(() => said)
    const { headers } = await chat()
    const runId = headers.get('x-run-id')
    const request = lines.find(({ message }) => message === 'request')
    expect(request).to.include({
      status: 200,
      identity: 'ada',
      runId,
      path: '/v1/chat/completions',
    })
    expect(request?.['ms']).to.be.a('number')
    const run = lines.find(({ message }) => message === 'run')
    expect(run).to.include({ runId, identity: 'ada', model: 'quick', status: 'done', steps: 1 })
    expect(run).to.include({ inputTokens: 7, outputTokens: 3 })
    expect(run?.['seconds']).to.be.at.least(run?.['firstSeconds'] as number)
    expect(JSON.stringify(lines)).not.to.include('xyzzy')
    lines.length = 0
    await served.ask('/v1/models', { headers: { authorization: 'Bearer wrong' } })
    expect(lines[0]).to.include({ status: 401 }).and.not.to.have.property('identity')
  })

  it('count probes by their own routes, with and without a prefix, and log them as details', async () => {
    const levels: string[] = []
    served = await Served.start({
      basePath: '/ai',
      log: ({ level, message }) => levels.push(`${level} ${message}`),
    })
    for (const path of ['/healthz', '/ai/healthz', '/readyz', '/healthy']) await served.ask(path)
    expect(levels).to.deep.equal([
      ...Array.from({ length: 3 }, () => 'debug request'),
      'info request',
    ])
    const text = await metrics()
    const count = (route: string) =>
      sampled(text, `braidwork_requests_total{route="${route}",status="200"}`)
    expect([count('/healthz'), count('/readyz')]).to.deep.equal([2, 1])
  })

  it('name the requests of a run at the model API in its line, and in that of its error', async () => {
    const stream = function* (_: unknown, __: unknown, context: Context) {
      context.noteUpstreamId('req_1')
      yield* said
    }
    await serve(stream)
    await chat()
    expect(lines.find(({ message }) => message === 'run')).to.deep.include({
      upstreamRequestIds: ['req_1'],
    })
    await served.close()
    lines.length = 0
    await serve((_, __, context) => {
      context.noteUpstreamId('req_2')
      throw Object.assign(new Error('xyzzy'), { code: 'RATE_LIMITED' })
    })
    const { text } = await chat()
    expect(text).not.to.include('req_2')
    expect(lines.find(({ code }) => code === 'RATE_LIMITED')).to.include({
      upstreamRequestId: 'req_2',
    })
  })

  it('are all that the dashboard asks for', async () => {
    await serve(() => said)
    await chat()
    const text = await metrics()
    const board = readFileSync(join(ROOT, 'docs/grafana-dashboard.json'), 'utf8')
    const { panels } = JSON.parse(board) as {
      readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
    }
    const names = panels.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => expr.match(/braidwork_\w+/g) ?? []),
    )
    expect(names.length).to.be.at.least(8)
    for (const name of names)
      expect(text, name).to.include(`# TYPE ${name.replace(/_bucket$/, '')} `)
  })
})
