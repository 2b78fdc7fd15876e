import { expect } from 'chai'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { ReplayServer } from '../../../scripts/replay/replay-server.ts'
import { jsonReply, piecesOf, streamReply } from '../../../scripts/replay/replies.ts'
import type { Host } from '../../../src/core/index.ts'
import {
  type BadAnswer,
  REFUSALS as COMMON_REFUSALS,
  STREAMS as COMMON_STREAMS,
  expectError,
  expectInterrupted,
  failOf,
  inTenSeconds,
  MEGABYTES,
  refused,
  throwOf,
} from '../bad-answers.ts'
import { configFor, hostAnswered, openaiHost, type Settings, streamed } from './asking.ts'
import { ownRecording } from './recordings.ts'

const OWNER = { plugin: 'openai', key: 'sk-test-0123456789' }

/** Answers with an error status; the same in send and stream, with both APIs. */
const REFUSALS: readonly BadAnswer[] = [
  ...COMMON_REFUSALS,
  {
    title: 'a refused key',
    reply: refused(401, {
      message: `Incorrect API key provided: ${OWNER.key}.`,
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
    facts: { status: 400, retryable: false, pointer: '/max_tokens' },
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
    title: 'an error of the server',
    reply: refused(500, { message: 'The server had an error', type: 'server_error' }),
    code: 'PROVIDER_FAILED',
    facts: { status: 500, retryable: true },
  },
]

/** Streams that go wrong. */
const STREAMS: readonly (BadAnswer & { readonly api?: 'chat' | 'responses' })[] = [
  ...COMMON_STREAMS,
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

  const fails = (settings: Settings) => failOf(host, configFor(server, settings))

  for (const answer of REFUSALS) {
    for (const api of ['chat', 'responses'] as const) {
      it(`${answer.title} is ${answer.code} (${api})`, async () => {
        server.reply = () => answer.reply
        expectError(await fails({ api }), answer, OWNER)
        expectError(await throwOf(host, configFor(server, { api })), answer, OWNER)
      })
    }
  }

  for (const answer of STREAMS) {
    for (const api of answer.api ? [answer.api] : (['chat', 'responses'] as const)) {
      it(`a stream with ${answer.title} is ${answer.code} (${api})`, async () => {
        server.reply = () => answer.reply
        expectError(await fails({ api }), answer, OWNER)
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
    expect((error as Error).message)
      .to.match(/ECONNREFUSED|bad port|fetch failed/)
      .and.include('Check settings.openai.base_url.')
  })

  for (const [api, name] of [
    ['chat', 'chat/calls.chunks.txt'],
    ['responses', 'responses/everything.chunks.txt'],
  ] as const) {
    it(`a stream that ends early is STREAM_INTERRUPTED, cut anywhere (${api})`, async function () {
      this.timeout(60_000)
      const bytes = Buffer.from(streamText(api, ownRecording(name).lines))
      const config = configFor({ url: 'https://nowhere.test/v1' }, { api })
      let sent: Uint8Array<ArrayBuffer> = bytes
      const cut = await hostAnswered(() => sent)
      await expectInterrupted(bytes, (body) => {
        sent = body
        return streamed(cut, config)
      })
    })

    it(`a stream whose connection is lost is STREAM_INTERRUPTED (${api})`, async () => {
      const bytes = Buffer.from(streamText(api, ownRecording(name).lines))
      server.reply = () => streamReply([bytes.subarray(0, bytes.length / 2)], { ending: 'lost' })
      expect(await fails({ api })).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
    })

    it(`an event of ${MEGABYTES} MB passes (${api})`, async function () {
      this.timeout(60_000)
      const big = 'x'.repeat(MEGABYTES * 1024 * 1024)
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
