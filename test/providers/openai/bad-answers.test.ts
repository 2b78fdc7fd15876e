import { expect } from 'chai'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { ReplayServer, type Reply } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import type { Host } from '../../../src/index.ts'
import { configFor, hostAnswered, openaiHost, type Settings, streamed } from './asking.ts'
import { ownRecording } from './recordings.ts'

const KEY = 'sk-test-0123456789'

const refused = (status: number, error: object, headers: { [name: string]: string } = {}): Reply =>
  jsonReply({ error }, { status, headers })

interface BadAnswer {
  readonly title: string
  readonly reply: Reply
  readonly code: string
  readonly facts?: object
  readonly message?: RegExp
}

const inTenSeconds = () => new Date(Date.now() + 10_000).toUTCString()

/** Answers with an error status; the same in send and stream, with both APIs. */
const REFUSALS: readonly BadAnswer[] = [
  {
    title: 'a refused key',
    reply: refused(401, {
      message: `Incorrect API key provided: ${KEY}.`,
      code: 'invalid_api_key',
    }),
    code: 'PROVIDER_UNAUTHORIZED',
    facts: { status: 401, retryable: false },
    message: /settings\.openai\.api_key.*OPENAI_API_KEY/,
  },
  {
    title: 'a rate limit with a number of seconds',
    reply: refused(
      429,
      { message: 'Slow down', code: 'rate_limit_exceeded' },
      { 'retry-after': '7' },
    ),
    code: 'RATE_LIMITED',
    facts: { status: 429, retryable: true, retryAfter: 7 },
  },
  {
    title: 'a rate limit without Retry-After',
    reply: refused(429, { message: 'Slow down', type: 'requests' }),
    code: 'RATE_LIMITED',
    facts: { status: 429, retryable: true },
  },
  {
    title: 'a spent quota',
    reply: refused(429, {
      message: 'You exceeded your quota',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
    code: 'QUOTA_EXCEEDED',
    facts: { status: 429, retryable: false },
  },
  {
    title: 'an unknown model',
    reply: refused(404, {
      message: 'The model `gpt-0` does not exist',
      type: 'invalid_request_error',
      code: 'model_not_found',
    }),
    code: 'MODEL_UNKNOWN',
    facts: { status: 404, retryable: false },
  },
  {
    title: 'an unknown path',
    reply: jsonReply({ detail: 'Not Found' }, { status: 404 }),
    code: 'INVALID_REQUEST',
    message: /settings\.openai\.base_url/,
  },
  {
    title: 'messages that are too long',
    reply: refused(400, {
      message: "This model's maximum context length is 8192 tokens",
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    }),
    code: 'CONTEXT_OVERFLOW',
    facts: { status: 400 },
  },
  {
    title: 'messages that are too long, without a code',
    reply: refused(400, {
      message: 'Your input exceeds the context window of this model.',
      type: 'invalid_request_error',
    }),
    code: 'CONTEXT_OVERFLOW',
  },
  {
    title: 'a wrong parameter',
    reply: refused(400, {
      message: "Unsupported parameter: 'max_tokens'",
      type: 'invalid_request_error',
      param: 'max_tokens',
      code: 'unsupported_parameter',
    }),
    code: 'INVALID_REQUEST',
    facts: { status: 400, retryable: false },
    message: /\(parameter "max_tokens"\)/,
  },
  {
    title: 'a content filter',
    reply: refused(400, {
      message: 'The response was filtered',
      code: 'content_filter',
      type: null,
    }),
    code: 'CONTENT_FILTERED',
  },
  {
    title: 'an overloaded server',
    reply: refused(503, { message: 'Overloaded' }),
    code: 'OVERLOADED',
    facts: { status: 503, retryable: true },
  },
  { title: 'status 529', reply: refused(529, { message: 'busy' }), code: 'OVERLOADED' },
  {
    title: 'an error of the server',
    reply: refused(500, { message: 'The server had an error', type: 'server_error' }),
    code: 'PROVIDER_FAILED',
    facts: { status: 500, retryable: true },
  },
  {
    title: 'a page of a gateway',
    reply: {
      status: 502,
      headers: { 'content-type': 'text/html' },
      pieces: ['<html><h1>Bad gateway</h1></html>'],
    },
    code: 'PROVIDER_FAILED',
    facts: { status: 502, retryable: true },
    message: /page/,
  },
  {
    title: 'an error that is a text',
    reply: jsonReply({ error: 'no such deployment' }, { status: 400 }),
    code: 'INVALID_REQUEST',
    message: /no such deployment/,
  },
  {
    title: 'a status alone',
    reply: { status: 418, pieces: [] },
    code: 'INVALID_REQUEST',
    facts: { status: 418 },
  },
  {
    title: 'a page in place of an answer',
    reply: {
      headers: { 'content-type': 'text/html' },
      pieces: ['<!doctype html><title>Login</title>'],
    },
    code: 'PROVIDER_FAILED',
    message: /doctype/,
  },
  {
    title: 'an error inside a 200',
    reply: jsonReply({ error: { message: 'Overloaded', code: 503 } }),
    code: 'OVERLOADED',
  },
  {
    title: 'an answer of another kind',
    reply: jsonReply({ hello: 'world' }),
    code: 'PROVIDER_FAILED',
  },
  { title: 'a JSON list', reply: jsonReply([1, 2]), code: 'PROVIDER_FAILED' },
  {
    title: 'half an answer',
    reply: { pieces: ['{"id": "x", "choi'], ending: 'lost' },
    code: 'STREAM_INTERRUPTED',
  },
]

/** Streams that go wrong. */
const STREAMS: readonly (BadAnswer & { readonly api?: 'chat' | 'responses' })[] = [
  { title: 'nothing', reply: streamReply(''), code: 'STREAM_INTERRUPTED' },
  {
    title: 'comments alone',
    reply: streamReply(': ping\n\n: ping\n\n'),
    code: 'STREAM_INTERRUPTED',
  },
  {
    title: 'a page that says it is events',
    reply: streamReply('<html>no</html>'),
    code: 'PROVIDER_FAILED',
  },
  {
    title: 'JSON that says it is events',
    reply: streamReply('{"id":"x"}'),
    code: 'PROVIDER_FAILED',
  },
  {
    title: 'no choice at all',
    api: 'chat',
    reply: streamReply('data: {"choices":[]}\n\ndata: [DONE]\n\n'),
    code: 'PROVIDER_FAILED',
    message: /no choice/,
  },
  {
    title: 'empty choices in one answer',
    api: 'chat',
    reply: jsonReply({ choices: [] }),
    code: 'PROVIDER_FAILED',
    message: /empty "choices"/,
  },
  {
    title: 'an end that is not this API’s',
    api: 'responses',
    reply: streamReply('data: {"type":"response.created","response":{}}\n\ndata: [DONE]\n\n'),
    code: 'STREAM_INTERRUPTED',
  },
  {
    title: 'an error event',
    reply: streamReply(
      'event: error\ndata: {"type":"error","code":"server_error","message":"Sorry","param":null}\n\n',
    ),
    code: 'PROVIDER_FAILED',
    message: /Sorry/,
  },
  {
    title: 'an error in a chunk',
    reply: streamReply('data: {"error":{"message":"Too many","code":429}}\n\ndata: [DONE]\n\n'),
    code: 'RATE_LIMITED',
  },
  {
    title: 'an error that only its name tells',
    reply: streamReply('event: error\ndata: {"message":"It broke"}\n\n'),
    code: 'PROVIDER_FAILED',
    message: /It broke/,
  },
  {
    title: 'a failed response',
    api: 'responses',
    reply: streamReply(
      streamText('responses', [
        '{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Later"}}}',
      ]),
    ),
    code: 'RATE_LIMITED',
    message: /Later/,
  },
  {
    title: 'JSON that is none',
    reply: streamReply('data: {"type": nope}\n\n'),
    code: 'PROVIDER_FAILED',
    message: /no JSON/,
  },
  {
    title: 'an event of depth 10,000',
    reply: streamReply(`data: {"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n\n`),
    code: 'PROVIDER_FAILED',
    message: /deeper/,
  },
  {
    title: 'bytes that are no UTF-8',
    reply: streamReply([Uint8Array.from([0xff, 0xfe, 0x80, 0x0a, 0x0a])]),
    code: 'STREAM_INTERRUPTED',
  },
]

describe('bad answers of the OpenAI APIs', () => {
  let server: ReplayServer
  let host: Host

  before(async () => {
    server = await new ReplayServer().start()
    host = await openaiHost()
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const fails = async (settings: Settings) => {
    const { result } = await streamed(host, configFor(server, settings))
    expect(result.status).to.equal('failed')
    return result.error ?? {}
  }

  const expectError = (error: object, { code, facts = {}, message = /./ }: BadAnswer) => {
    expect(error).to.include({ code, plugin: 'openai', ...facts })
    expect((error as Error).message)
      .to.match(message)
      .and.not.include(KEY)
  }

  for (const answer of REFUSALS) {
    for (const api of ['chat', 'responses'] as const) {
      it(`${answer.title} is ${answer.code} (${api})`, async () => {
        server.reply = () => answer.reply
        expectError(await fails({ api }), answer)
        const error: unknown = await host.send(configFor(server, { api }), 'Hello').catch((e) => e)
        expectError(error as object, answer)
      })
    }
  }

  for (const answer of STREAMS) {
    for (const api of answer.api ? [answer.api] : (['chat', 'responses'] as const)) {
      it(`a stream with ${answer.title} is ${answer.code} (${api})`, async () => {
        server.reply = () => answer.reply
        expectError(await fails({ api }), answer)
      })
    }
  }

  it('a rate limit with a date is counted in seconds', async () => {
    server.reply = () => refused(429, { message: 'Slow down' }, { 'retry-after': inTenSeconds() })
    expect(await fails({}))
      .to.have.property('retryAfter')
      .within(8, 10)
  })

  it('a key that is missing is PROVIDER_UNAUTHORIZED, and nothing is asked', async () => {
    const { result } = await streamed(host, {
      provider: 'openai',
      model: 'gpt-4.1',
      settings: { openai: { max_retries: 0 } },
    })
    expect(result.error).to.include({ code: 'PROVIDER_UNAUTHORIZED' })
    expect(result.error?.message).to.match(/settings\.openai\.api_key.*OPENAI_API_KEY/)
  })

  it('a server that is not there is PROVIDER_FAILED, with the reason', async () => {
    const error = await fails({ base_url: 'http://127.0.0.1:9/v1' })
    expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: true })
    expect((error as Error).message).to.match(/ECONNREFUSED|bad port|fetch failed/)
  })

  for (const [api, name] of [
    ['chat', 'chat/calls.chunks.txt'],
    ['responses', 'responses/everything.chunks.txt'],
  ] as const) {
    it(`a stream that ends early is STREAM_INTERRUPTED, cut anywhere (${api})`, async function () {
      this.timeout(60_000)
      const bytes = Buffer.from(streamText(api, ownRecording(name).lines))
      const config = configFor({ url: 'https://nowhere.test/v1' }, { api })
      const seen: string[] = []
      let length = 0
      const cut = await hostAnswered(() => bytes.subarray(0, length))
      for (; length <= bytes.length; length += length < bytes.length - 400 ? 7 : 1) {
        const { gathered, result } = await streamed(cut, config)
        seen.push(result.error?.code ?? result.status)
        if (result.status === 'done') expect(gathered).to.deep.equal(result.messages)
      }
      // Interrupted until the answer is whole, and never again after that.
      const whole = seen.indexOf('done')
      expect(new Set(seen.slice(0, whole))).to.deep.equal(new Set(['STREAM_INTERRUPTED']))
      expect(new Set(seen.slice(whole))).to.deep.equal(new Set(['done']))
    })

    it(`a stream whose connection is lost is STREAM_INTERRUPTED (${api})`, async () => {
      const bytes = Buffer.from(streamText(api, ownRecording(name).lines))
      server.reply = () => streamReply([bytes.subarray(0, bytes.length / 2)], { ending: 'lost' })
      expect(await fails({ api })).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
    })

    it(`an event of 10 MB passes (${api})`, async function () {
      this.timeout(60_000)
      const big = 'x'.repeat(10 * 1024 * 1024)
      const event =
        api === 'chat'
          ? { choices: [{ index: 0, delta: { content: big } }] }
          : { type: 'response.output_text.delta', output_index: 9, content_index: 0, delta: big }
      const lines = [JSON.stringify(event), ...ownRecording(name).lines]
      server.reply = () => streamReply(piecesOf(streamText(api, lines), 64 * 1024))
      const { gathered, result } = await streamed(host, configFor(server, { api }))
      expect(result.status).to.equal('done')
      expect(gathered).to.deep.equal(result.messages)
      expect(JSON.stringify(gathered).length).to.be.greaterThan(big.length)
    })
  }
})
