import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { type HttpApi, httpProvider } from '../../../providers/model-api/index.ts'
import { ReplayServer, type Reply } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import { type ConfigLayer, createHost, type Host } from '../../../src/core/index.ts'
import type { Extension, Message, Provider } from '../../../src/plugin/index.ts'
import { describeProvider } from '../../../src/testing/index.ts'
import { timers } from '../../helpers/timers.ts'
import { LOOM, loom } from './loom.ts'

const LINES = [
  { think: 'I need ' },
  { think: 'the weather.' },
  { seal: 'x7' },
  { say: 'Tea ' },
  { say: 'is hot. ☕' },
  { call: { id: 'c1', name: 'weather' } },
  { args: '{"city": ' },
  { args: '"Rome"}' },
  { end: 'calls', tokens: { in: 12, out: 9 } },
]

const ANSWER: Message = {
  role: 'assistant',
  parts: [
    {
      type: 'reasoning',
      text: 'I need the weather.',
      providerMetadata: { loom: { seal: 'x7' } },
    },
    { type: 'text', text: 'Tea is hot. ☕' },
    { type: 'tool-call', callId: 'c1', name: 'weather', input: { city: 'Rome' } },
  ],
  metadata: { finishReason: 'tool-calls', usage: { input: 12, output: 9 } },
}

const ndjson = (lines: readonly object[]) =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const events = (lines: readonly object[]) =>
  lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join('')

describe('a provider of an HTTP API that is given as a table', function () {
  this.timeout(20_000)
  let server: ReplayServer
  const hosts: Host[] = []
  before(async () => {
    server = await new ReplayServer().start()
  })
  beforeEach(() => {
    server.requests.length = 0
    server.reply = () => streamReply(ndjson(LINES))
  })
  afterEach(() => Promise.all(hosts.splice(0).map((host) => host.close())))
  after(() => server.close())

  const config = (own: object = {}): ConfigLayer => ({
    settings: { loom: { api_key: 'sk-loom-0123', base_url: server.url, max_retries: 0, ...own } },
  })

  async function hostOf(changes: Partial<HttpApi> = {}, ...more: readonly object[]): Promise<Host> {
    const host = await createHost({ plugins: [loom(changes), ...more] as never })
    hosts.push(host)
    return host
  }

  /** Both ways to ask come to the same. */
  async function answered(host: Host, own: object = {}, more: ConfigLayer = {}) {
    const { messages, error } = await host.stream({ ...config(own), ...more }, 'Hello').result
    const sent = await host.send({ ...config(own), ...more }, 'Hello').then(
      (result) => ({ messages: result.messages }),
      (fault: { readonly code: string }) => ({ code: fault.code }),
    )
    expect(sent).to.deep.equal(error ? { code: error.code } : { messages })
    return { messages, error }
  }

  for (const [framing, written] of [
    ['ndjson', ndjson],
    ['server-sent-events', events],
  ] as const) {
    it(`reads answers of ${framing}, cut anywhere, also without an end of the last line`, async () => {
      const host = await hostOf({ framing })
      for (const size of [1, 7, 10_000]) {
        server.reply = () => streamReply(piecesOf(written(LINES).trimEnd(), size))
        const { messages } = await answered(host)
        expect(messages, `pieces of ${size}`).to.deep.equal([ANSWER])
      }
      server.reply = () => streamReply(written(LINES).replaceAll('\n', '\r\n'))
      expect((await answered(host)).messages).to.deep.equal([ANSWER])
    })
  }

  it('takes a whole answer where it asked for events', async () => {
    const host = await hostOf({ framing: 'server-sent-events' })
    server.reply = () => jsonReply({ say: 'Tea is hot.', end: 'done' })
    const { messages } = await answered(host)
    expect(messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Tea is hot.' }])
  })

  it('sends the key, the body, settings, neutral keys and further fields', async () => {
    const host = await hostOf({}, tool('weather'))
    const own = { warp: 3, temperature: 0.5, headers: { 'x-own': 'a' }, body: { extra: 1 } }
    await host.stream({ ...config(own), top_p: 0.9, temperature: 1 }, 'Hello').result
    const [request] = server.requests
    const { tools, ...body } = request?.body ?? {}
    expect(tools).to.have.nested.property('[0].name', 'weather')
    expect(request?.path).to.equal('/v1/answers')
    expect(request?.headers).to.include({
      authorization: 'Bearer sk-loom-0123',
      accept: 'application/json',
      'content-type': 'application/json',
      'x-own': 'a',
    })
    expect(request?.headers).not.to.have.property('x-stainless-retry-count')
    expect(body).to.deep.equal({
      model: 'loom-1',
      stream: true,
      turns: [{ by: 'user', text: 'Hello' }],
      temperature: 0.5,
      top_p: 0.9,
      warp: 3,
      extra: 1,
    })
  })

  it('gives the defaults of its own settings to the request', async () => {
    const settings = { moon: { enum: ['full', 'half'], default: 'full' }, tide: { type: 'number' } }
    const request: HttpApi['request'] = ({ settings: given }) => ({ ...given })
    const host = await hostOf({ settings, request })
    await host.stream(config(), 'Hello').result
    expect(server.requests[0]?.body).to.include({ moon: 'full' }).and.not.have.property('tide')
    await host.stream(config({ moon: 'half' }), 'Hello').result
    expect(server.requests[1]?.body).to.include({ moon: 'half' })
  })

  it('gives the settings of a table their types', async () => {
    const typed = httpProvider({
      ...LOOM,
      settings: {
        warp: { type: 'integer', default: 3 },
        moon: { enum: ['full', 'half'] },
      },
      request: ({ settings: { warp, moon, base_url } }) => {
        const twice: number = warp * 2
        const shown: 'full' | 'half' | undefined = moon
        return { warp: twice, moon: shown ?? 'none', address: base_url?.length }
      },
    })
    const host = await createHost({ plugins: [typed] })
    hosts.push(host)
    await host.stream(config({ moon: 'half' }), 'Hello').result
    expect(server.requests[0]?.body).to.include({ warp: 6, moon: 'half' })
  })

  it('has the neutral keys that the table names, and warns of others', async () => {
    const host = await hostOf({ sampling: ['temperature', 'max_output_tokens'] })
    const { configSchema } = loom({ sampling: ['temperature', 'max_output_tokens'] })
    expect(configSchema).to.have.nested.property('properties.max_output_tokens')
    expect(configSchema).not.to.have.nested.property('properties.top_p')
    const layer = { ...config(), temperature: 0.5, top_p: 0.9 }
    const { status, warnings } = await host.stream(layer, 'Hello').result
    expect(status).to.equal('done')
    expect(server.requests[0]?.body).to.include({ temperature: 0.5 })
    expect(server.requests[0]?.body).not.to.have.property('top_p')
    expect(JSON.stringify(warnings)).to.include('Loom has no \\"top_p\\": it is left out.')
    const refused = await host.stream(config({ top_p: 1 }), 'Hello').result
    expect(refused.error?.code).to.equal('SETTINGS_INVALID')
  })

  it('sends the key in other headers where the table says so, and none that it does not need', async () => {
    const host = await hostOf({ keyHeaders: (key) => ({ 'x-key': key }) })
    await host.stream(config(), 'Hello').result
    expect(server.requests[0]?.headers).to.include({ 'x-key': 'sk-loom-0123' })
    expect(server.requests[0]?.headers).not.to.have.property('authorization')
    const settings = { loom: { base_url: server.url } }
    const { status } = await host.stream({ settings }, 'Hello').result
    expect(status).to.equal('done')
    expect(server.requests[1]?.headers).not.to.have.property('x-key')
  })

  it('needs a key for its own address only, unless the table says that there is none', async () => {
    const host = await hostOf({ baseUrl: server.url })
    const { error } = await host.stream({}, 'Hello').result
    expect(error).to.include({ code: 'PROVIDER_UNAUTHORIZED' })
    expect(error?.message).to.include('LOOM_KEY')
    const free = await hostOf({ baseUrl: server.url, needsKey: false })
    expect((await free.stream({}, 'Hello').result).status).to.equal('done')
  })

  it('repairs histories and refuses files that the API does not take', async () => {
    const host = await hostOf()
    const call = { type: 'tool-call', callId: 'no good', name: 'weather', input: {} } as const
    await host.stream(config(), [
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      { role: 'assistant', parts: [call] },
      { role: 'user', parts: [{ type: 'text', text: 'And?' }] },
    ]).result
    const turns = server.requests[0]?.body['turns'] as readonly { call?: string; result?: string }[]
    expect(turns).to.have.length(4)
    expect(turns[1]?.call).to.match(/^[\w-]{32}$/)
    expect(turns[2]?.result).to.equal(turns[1]?.call)
    const file = { type: 'file', mediaType: 'application/pdf', data: 'AAAA' } as const
    const { error } = await host.stream(config(), [{ role: 'user', parts: [file] }]).result
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/0' })
  })

  it('tells the errors of the API by code, and never the key', async () => {
    const host = await hostOf()
    const CASES = [
      [401, { message: 'wrong key sk-loom-0123' }, 'PROVIDER_UNAUTHORIZED'],
      [404, { message: 'model: loom-9', code: 'model_not_found' }, 'MODEL_UNKNOWN'],
      [400, { message: 'maximum context length is 8000' }, 'CONTEXT_OVERFLOW'],
      [429, { message: 'slow' }, 'RATE_LIMITED'],
      [500, { message: 'oh' }, 'PROVIDER_FAILED'],
    ] as const
    for (const [status, error, code] of CASES) {
      server.reply = () => jsonReply({ error }, { status })
      const said = (await answered(host)).error
      expect(said).to.include({ code, status, plugin: 'loom' })
      expect(JSON.stringify(said)).not.to.include('sk-loom-0123')
    }
  })

  it('tells the error in a line, keeps what came before, and tells an answer without its end', async () => {
    const host = await hostOf()
    server.reply = () => streamReply(ndjson([{ say: 'Tea' }, { fault: { code: 'slow_down' } }]))
    const failed = await answered(host)
    expect(failed.error).to.include({ code: 'OVERLOADED', retryable: true })
    expect(failed.messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Tea' }])
    for (const ending of ['end', 'lost'] as const) {
      server.reply = () => streamReply(ndjson([{ say: 'Tea' }]), { ending })
      const { error } = await answered(host)
      expect(error).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
    }
    server.reply = () => streamReply('{"say": "Tea"}\n{"say": \n{"end": "done"}\n')
    expect((await answered(host)).error?.message).to.include('is not JSON')
    server.reply = () => streamReply('<html>')
    expect((await answered(host)).error).to.include({ code: 'PROVIDER_FAILED' })
  })

  it('ends an answer with its body where the table marks no end, but an empty one is an error', async () => {
    const { isLast: _, ...table } = LOOM
    const host = await createHost({
      plugins: [(await import('../../../providers/model-api/index.ts')).httpProvider(table)],
    })
    hosts.push(host)
    server.reply = () => streamReply(ndjson([{ say: 'Tea' }]))
    expect((await answered(host)).messages[0]?.parts).to.deep.equal([{ type: 'text', text: 'Tea' }])
    server.reply = () => streamReply('')
    expect((await answered(host)).error).to.include({ code: 'STREAM_INTERRUPTED' })
  })

  it('repeats what may pass, as often and after as long as it should', async () => {
    const host = await hostOf()
    const headers = { 'retry-after-ms': '1' }
    for (const status of [408, 409, 429, 500, 503]) {
      server.requests.length = 0
      server.reply = () =>
        server.requests.length < 3
          ? jsonReply({ error: 'busy' }, { status, headers })
          : streamReply(ndjson(LINES))
      const { status: outcome } = await host.stream(config({ max_retries: 2 }), 'Hello').result
      expect([outcome, server.requests.length]).to.deep.equal(['done', 3])
    }
    server.requests.length = 0
    server.reply = () => jsonReply({ error: 'busy' }, { status: 429, headers })
    const { error } = await host.stream(config({ max_retries: 2 }), 'Hello').result
    expect(error).to.include({ code: 'RATE_LIMITED' })
    expect(server.requests).to.have.length(3)
    for (const [status, more] of [
      [400, {}],
      [503, { 'x-should-retry': 'false' }],
      [503, { 'retry-after': '3600' }],
    ] as const) {
      server.requests.length = 0
      server.reply = () => jsonReply({ error: 'no' }, { status, headers: more })
      await host.stream(config({ max_retries: 2 }), 'Hello').result
      expect(server.requests, `${status} ${JSON.stringify(more)}`).to.have.length(1)
    }
  })

  it('repeats a request that got no answer, and says where nobody listens', async () => {
    const gone = await new ReplayServer().start()
    const host = await hostOf()
    const nowhere = config({ base_url: gone.url, max_retries: 1 })
    await gone.close()
    const { error } = await host.stream(nowhere, 'Hello').result
    expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: true })
    expect(error?.message).to.match(/could not be reached.*settings\.loom\.base_url/)
  })

  it('waits for headers as long as limits.connect', async () => {
    const host = await hostOf()
    server.reply = () => streamReply(ndjson(LINES), { headerDelay: 60_000 })
    const limits = { connect: 0.1 }
    const { error } = await host.stream({ ...config({ max_retries: 2 }), limits }, 'Hello').result
    expect(error).to.include({ code: 'TIMEOUT', retryable: true })
    expect(error?.message).to.include('limits.connect')
    expect(server.requests).to.have.length(1)
  })

  /** Sets the reply to all requests. @returns when the first of them has come */
  const asked = (reply: Reply) =>
    new Promise<void>((resolve) => {
      server.reply = () => {
        resolve()
        return reply
      }
    })

  it('closes the connection when it is cancelled before the headers', async () => {
    const host = await hostOf()
    const leaving = new AbortController()
    const isAsked = asked(streamReply('', { headerDelay: 60_000 }))
    const { result } = host.stream(config(), 'Hello', leaving)
    // A stream begins when somebody waits for it.
    const ended = result.then(({ status }) => status)
    await isAsked
    leaving.abort('enough')
    expect(await ended).to.equal('aborted')
    await server.idle()
  })

  it('closes the connection when it is cancelled in the body', async () => {
    const host = await hostOf()
    const leaving = new AbortController()
    server.reply = () => streamReply(ndjson([{ say: 'Tea' }]), { ending: 'never' })
    const stream = host.stream(config(), 'Hello', leaving)
    for await (const { type } of stream) if (type === 'text-delta') leaving.abort('enough')
    expect((await stream.result).status).to.equal('aborted')
    await server.idle()
  })

  it('asks no more when it is cancelled between two attempts', async () => {
    const host = await hostOf()
    const leaving = new AbortController()
    const headers = { 'retry-after': '30' }
    const isAsked = asked(jsonReply({ error: 'busy' }, { status: 503, headers }))
    const before = timers()
    const { result } = host.stream(config({ max_retries: 2 }), 'Hello', leaving)
    const ended = result.then(({ status }) => status)
    await isAsked
    await server.idle()
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    leaving.abort('enough')
    expect(await ended).to.equal('aborted')
    expect(server.requests).to.have.length(1)
    // The pause of 30 seconds, which would keep the process, is over too.
    expect(timers()).to.be.at.most(before)
  })

  it('limits the length of a line', async () => {
    const host = await hostOf()
    server.reply = () => streamReply(`{"say": "${'a'.repeat(5000)}`)
    const { error } = await host.stream({ ...config(), limits: { answer_bytes: 1000 } }, 'Hello')
      .result
    expect(error?.message).to.include('limits.answer_bytes')
  })

  it('lets extensions see its lines, add headers and read those of the answer', async () => {
    const seen: unknown[] = []
    const watcher: Extension = {
      kind: 'extension',
      name: 'watcher',
      init: (_config, state) => ({ ...state, requestHeaders: { traceparent: '00-a' } }),
      processChunk: (chunk, partials, finals, native, state) => {
        seen.push([chunk, partials.length, Object(state).responseHeaders?.['x-request-id']])
        return [partials, finals, native, state]
      },
    }
    const host = await hostOf({}, watcher)
    server.reply = () =>
      streamReply(ndjson([{ say: 'Tea' }, { end: 'done' }]), {
        headers: { 'x-request-id': 'r1' },
      })
    const { upstreamRequestId } = await host.stream(config(), 'Hello').result
    expect(upstreamRequestId).to.equal('r1')
    expect(server.requests[0]?.headers).to.include({ traceparent: '00-a' })
    expect(seen.slice(0, 2)).to.deep.equal([
      [{ say: 'Tea' }, 2, 'r1'],
      [{ end: 'done' }, 1, 'r1'],
    ])
  })

  it('leaves no listener at the signal of a caller who asks for the models', async () => {
    const { signal } = new AbortController()
    const { refreshModels } = loom()
    const refresh = async () => refreshModels?.(config() as never, { signal } as never)
    server.reply = () => jsonReply({ data: [{ id: 'loom-1' }] })
    expect(await refresh()).to.deep.equal(['loom-1'])
    server.reply = () => jsonReply({ error: 'no' }, { status: 400 })
    expect(await refresh().catch((error: unknown) => error)).to.include({ code: 'INVALID_REQUEST' })
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })

  it('has the models, data and tags of the table, and those that the API lists', async () => {
    const host = await hostOf()
    expect(await host.modelInfo({}, 'loom-mini')).to.deep.equal({ contextWindow: 2000 })
    expect((await host.resolve({ model: 'loom-mini' })).tags).not.to.include('tools')
    expect((await host.resolve({})).tags).to.include.members(['loom', 'text', 'tools'])
    server.reply = () => jsonReply({ data: [{ id: 'loom-1' }, { id: 'loom-new' }] })
    expect(await host.refreshModels(config())).to.deep.equal(['loom-1', 'loom-new'])
    expect(server.requests[0]?.path).to.equal('/v1/models')
    const { modelsPath: _, ...table } = LOOM
    const { httpProvider } = await import('../../../providers/model-api/index.ts')
    expect(httpProvider(table)).not.to.have.property('refreshModels')
    const listed: Provider = httpProvider({
      ...table,
      priceList: 'openai',
      models: { 'gpt-4.1': {} },
    })
    const priced = await createHost({ plugins: [listed] })
    hosts.push(priced)
    expect(await priced.modelInfo({}, 'gpt-4.1')).to.have.nested.property('price.input')
  })
})

function tool(name: string): object {
  const schema = { name, description: 'Says it.', input_schema: { type: 'object' } }
  return { kind: 'tool', name, getToolSchemas: () => [schema], executeTool: () => 'said' }
}

describeProvider(loom(), {
  api: {
    config: (url) => ({ settings: { loom: { base_url: url, api_key: 'test' } } }),
    streamed: ndjson(LINES.filter((line) => !('call' in line || 'args' in line))),
  },
})
