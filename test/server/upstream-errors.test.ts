import { expect } from 'chai'
import { eventProvider } from '../helpers/plugins.ts'
import { chatBody, Served, user } from './routes/served.ts'

const messages = [{ role: 'user', content: 'hi' }]
const CHAT = { model: 'm', messages }

/** Requests of each protocol, streamed and whole. */
const REQUESTS: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', CHAT],
  ['/v1/chat/completions', { ...CHAT, stream: true }],
  ['/v1/messages', { ...CHAT, max_tokens: 9 }],
  ['/v1/messages', { ...CHAT, max_tokens: 9, stream: true }],
  ['/v1/responses', { model: 'm', input: 'hi' }],
  ['/v1/responses', { model: 'm', input: 'hi', stream: true }],
  ['/api/chat', chatBody('c', [user('q', 'hi')], { agent: 'm' })],
  [
    '/ag-ui',
    { threadId: 't', runId: 'r', tools: [], context: [], messages: [{ ...messages[0], id: 'x' }] },
  ],
]

describe('a refusal by a model API', () => {
  let served: Served
  afterEach(() => served.close())

  async function serve(facts: object, options: object = {}, before: readonly object[] = []) {
    const key = 'open-sesame'
    const stream = function* () {
      yield* before
      throw Object.assign(new Error(`Unknown name "foo" for ${key}`), facts)
    }
    const configSchema = {
      type: 'object',
      properties: { key: { type: 'string', writeOnly: true } },
    }
    served = await Served.start(
      { models: { m: {} }, ...options },
      {
        plugins: [eventProvider([], { stream, configSchema })],
        config: { provider: 'p', settings: { p: { key } } },
      },
    )
  }
  const said = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'so' },
  ]
  const refused = { code: 'INVALID_REQUEST', status: 400 }

  for (const before of [[], said]) {
    const when = before.length > 0 ? 'after its first words' : 'before anything else'

    it(`is hidden from clients unless the operator shows it: ${when}`, async () => {
      await serve(refused, {}, before)
      for (const [path, body] of REQUESTS) {
        const { text } = await served.ask(path, { body })
        expect(text, path).to.include('The model API refused the request.').and.not.include('foo')
      }
    })

    it(`is shown to clients where the operator wants it, without secrets: ${when}`, async () => {
      await serve(refused, { showsUpstreamErrors: true }, before)
      for (const [path, body] of REQUESTS) {
        const { text } = await served.ask(path, { body })
        expect(text, path).to.include('Unknown name').and.not.include('sesame')
      }
    })
  }

  for (const isShown of [false, true]) {
    it(`is ${isShown ? 'shown' : 'hidden'} when a stored run is read again`, async () => {
      await serve(refused, { showsUpstreamErrors: isShown }, said)
      const { headers } = await served.ask('/api/chat', {
        body: chatBody('c', [user('q', 'hi')], { agent: 'm' }),
      })
      const stored = { model: 'm', input: 'hi', store: true, stream: true }
      const streamed = await served.ask('/v1/responses', { body: stored })
      const [, id = ''] = /"id":"(resp_[^"]+)"/.exec(streamed.text) ?? []
      for (const path of [
        `/runs/${headers.get('x-run-id')}/events`,
        `/api/chat/c/stream?run=${headers.get('x-run-id')}`,
        `/v1/responses/${id}`,
        `/v1/responses/${id}?stream=true`,
      ]) {
        const { text } = await served.ask(path)
        expect(text, path).not.to.include('sesame')
        if (isShown) expect(text, path).to.include('Unknown name')
        else expect(text, path).to.include('The model API refused').and.not.include('foo')
      }
    })
  }

  it('has its status where the stream told only its usage before', async () => {
    const usage = { type: 'metadata', metadata: { usage: { input: 5, output: 1 } } }
    await serve(refused, {}, [usage])
    for (const [path, body] of REQUESTS) {
      const { status } = await served.ask(path, { body })
      expect(status, path).to.equal(400)
    }
  })

  it('is not repeated by clients of OpenAI and Anthropic where it can never pass', async () => {
    const cases = [
      [{ code: 'PROVIDER_UNAUTHORIZED', status: 401, retryable: false }, 502, 'false'],
      [{ code: 'QUOTA_EXCEEDED', status: 429, retryable: false }, 429, 'false'],
      [{ code: 'RATE_LIMITED', status: 429, retryable: true }, 429, null],
      [{ code: 'PROVIDER_FAILED' }, 502, null],
    ] as const
    for (const [facts, status, told] of cases) {
      await serve(facts)
      for (const [path, body] of REQUESTS.filter(([path]) => path.startsWith('/v1/'))) {
        if ('stream' in body) continue
        const { headers, status: shown } = await served.ask(path, { body })
        expect([shown, headers.get('x-should-retry')], path).to.deep.equal([status, told])
      }
      await served.close()
    }
    await serve({})
  })

  const OF_STATUS = [
    [413, 'larger than the model API takes', 'request_too_large', 'request_too_large'],
    [404, 'has no model of that name', 'not_found_error', 'model_not_found'],
  ] as const
  for (const [status, words, type, code] of OF_STATUS) {
    it(`has the status ${status} of the model API, and its kind in each protocol`, async () => {
      await serve({ code: 'INVALID_REQUEST', status })
      for (const [path, body] of REQUESTS) {
        const answer = await served.ask(path, { body })
        expect(answer.status, path).to.equal(status)
        expect(answer.text, path).to.include(words).and.not.include('foo')
        if (path.startsWith('/v1/')) expect(answer.headers.get('x-should-retry')).to.equal('false')
      }
      const messages = await served.ask('/v1/messages', { body: { ...CHAT, max_tokens: 9 } })
      expect(messages.json['error']).to.include({ type })
      const chat = await served.ask('/v1/chat/completions', { body: CHAT })
      expect(chat.json['error']).to.include({ type: 'invalid_request_error', code })
    })

    it(`has the status ${status} where its words are shown too`, async () => {
      await serve({ code: 'INVALID_REQUEST', status }, { showsUpstreamErrors: true })
      const answer = await served.ask('/v1/chat/completions', { body: CHAT })
      expect([answer.status, answer.text]).to.satisfy(
        ([shown, text]: [number, string]) => shown === status && text.includes('Unknown name'),
      )
    })
  }

  it('is told as overloaded with the wait, in each protocol', async () => {
    await serve({ code: 'OVERLOADED', status: 503, retryable: true, retryAfter: 7 })
    for (const [path, body] of REQUESTS) {
      const { status, headers } = await served.ask(path, { body })
      expect([status, headers.get('retry-after')], path).to.deep.equal([529, '7'])
    }
  })

  it('is told as late where the model API did not answer in time', async () => {
    await serve({ code: 'TIMEOUT', status: 408, retryable: true })
    const { json, status } = await served.ask('/v1/chat/completions', { body: CHAT })
    expect(status).to.equal(504)
    expect(json['error']?.['message']).to.equal('The model API took too long.')
  })

  it('names the field in any case, and other errors stay hidden', async () => {
    await serve({ ...refused, pointer: '/top_k' })
    const { json } = await served.ask('/v1/chat/completions', { body: CHAT })
    expect(json['error']).to.include({ param: 'top_k' })
    expect(json['error']?.['message']).to.equal('The model API refused the field "top_k".')
    await served.close()
    await serve({ code: 'PROVIDER_FAILED' }, { showsUpstreamErrors: true })
    const { text } = await served.ask('/v1/chat/completions', { body: CHAT })
    expect(text).to.include('The model API failed.').and.not.include('foo')
  })
})
