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
  throwOf,
} from '../bad-answers.ts'
import { streamed } from '../openai/asking.ts'
import { anthropicHost, configFor, hostAnswered, NOWHERE, ownRecording } from './asking.ts'

const OWNER = { plugin: 'anthropic', key: 'sk-ant-test-0123456789' }
const EVERYTHING = ownRecording('messages/everything.chunks.txt')

/** An error as the API says it. */
const said = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_1',
})
const refused = (
  status: number,
  type: string,
  {
    message = 'No.',
    headers = {},
  }: { message?: string; headers?: { [name: string]: string } } = {},
) => jsonReply(said(type, message), { status, headers })

/** Each error of the API (https://platform.claude.com/docs/en/api/errors). */
const REFUSALS: readonly BadAnswer[] = [
  ...COMMON_REFUSALS,
  {
    title: 'a request that is wrong',
    reply: refused(400, 'invalid_request_error', { message: 'max_tokens: Field required' }),
    code: 'INVALID_REQUEST',
    facts: { status: 400, retryable: false },
    message: /max_tokens: Field required/,
  },
  {
    title: 'a refused key',
    reply: refused(401, 'authentication_error', { message: `invalid x-api-key: ${OWNER.key}` }),
    code: 'PROVIDER_UNAUTHORIZED',
    facts: { status: 401, retryable: false },
    message: /settings\.anthropic\.api_key.*ANTHROPIC_API_KEY/,
  },
  {
    title: 'a key of another in the message',
    reply: refused(401, 'authentication_error', { message: 'not sk-ant-api03-abcDEF_123-xyz' }),
    code: 'PROVIDER_UNAUTHORIZED',
    message: /not \*\*\*/,
  },
  {
    title: 'a bill that is not paid',
    reply: refused(402, 'billing_error'),
    code: 'QUOTA_EXCEEDED',
    facts: { status: 402, retryable: false },
  },
  {
    title: 'a credit that is spent',
    reply: refused(400, 'invalid_request_error', {
      message: 'Your credit balance is too low to access the Anthropic API.',
    }),
    code: 'QUOTA_EXCEEDED',
    facts: { retryable: false },
  },
  {
    title: 'a limit that the customer has set',
    reply: refused(400, 'invalid_request_error', {
      message: 'You have reached your specified API usage limits.',
    }),
    code: 'QUOTA_EXCEEDED',
  },
  {
    title: 'what the key may not do',
    reply: refused(403, 'permission_error'),
    code: 'PROVIDER_UNAUTHORIZED',
    facts: { status: 403 },
  },
  {
    title: 'an unknown model',
    reply: refused(404, 'not_found_error', { message: 'model: claude-sonnet-0' }),
    code: 'MODEL_UNKNOWN',
    facts: { status: 404, retryable: false },
  },
  {
    title: 'a file that is gone',
    reply: refused(404, 'not_found_error', { message: 'File not found: file_1' }),
    code: 'INVALID_REQUEST',
    facts: { status: 404 },
  },
  {
    title: 'a request that is too large',
    reply: refused(413, 'request_too_large'),
    code: 'INVALID_REQUEST',
    facts: { status: 413, retryable: false },
  },
  {
    title: 'messages that are too long',
    reply: refused(400, 'invalid_request_error', {
      message: 'prompt is too long: 212333 tokens > 200000 maximum',
    }),
    code: 'CONTEXT_OVERFLOW',
  },
  {
    title: 'messages and an answer that are too long together',
    reply: refused(400, 'invalid_request_error', {
      message: 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000',
    }),
    code: 'CONTEXT_OVERFLOW',
  },
  {
    title: 'a rate limit',
    reply: refused(429, 'rate_limit_error', { headers: { 'retry-after': '7' } }),
    code: 'RATE_LIMITED',
    facts: { status: 429, retryable: true, retryAfter: 7 },
  },
  {
    title: 'an error of the server',
    reply: refused(500, 'api_error'),
    code: 'PROVIDER_FAILED',
    facts: { status: 500, retryable: true },
  },
  {
    title: 'a time-out of the server',
    reply: refused(504, 'timeout_error'),
    code: 'TIMEOUT',
    facts: { status: 504, retryable: true },
  },
  {
    title: 'an overloaded API',
    reply: refused(529, 'overloaded_error', { message: 'Overloaded' }),
    code: 'OVERLOADED',
    facts: { status: 529, retryable: true },
  },
  {
    title: 'an error of a kind to come',
    reply: refused(400, 'moon_phase_error'),
    code: 'INVALID_REQUEST',
    facts: { status: 400, retryable: false },
  },
]

const errorEvent = (type: string) => JSON.stringify(said(type, 'Sorry'))
const streamOf = (...lines: readonly string[]) => streamReply(streamText('messages', lines))

/** Streams that go wrong. */
const STREAMS: readonly BadAnswer[] = [
  ...COMMON_STREAMS,
  ...(
    [
      ['overloaded_error', 'OVERLOADED', true],
      ['rate_limit_error', 'RATE_LIMITED', true],
      ['api_error', 'PROVIDER_FAILED', true],
      ['timeout_error', 'TIMEOUT', true],
      ['invalid_request_error', 'INVALID_REQUEST', false],
      ['authentication_error', 'PROVIDER_UNAUTHORIZED', false],
      ['billing_error', 'QUOTA_EXCEEDED', false],
    ] as const
  ).map(([type, code, retryable]) => ({
    title: `an event of ${type}`,
    reply: streamOf(errorEvent(type)),
    code,
    facts: { retryable },
    message: /Sorry/,
  })),
  {
    title: 'a beginning alone',
    reply: streamOf(...EVERYTHING.lines.slice(0, 1)),
    code: 'STREAM_INTERRUPTED',
  },
  {
    title: 'the chunks of another API',
    reply: streamReply('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"a":1}\n\n'),
    code: 'STREAM_INTERRUPTED',
  },
]

describe('bad answers of the messages API', () => {
  let server: ReplayServer
  let host: Host

  before(async () => {
    server = await new ReplayServer().start()
    host = await anthropicHost()
  })
  after(async () => {
    await host.close()
    await server.close()
  })

  const fails = (settings = {}) => failOf(host, configFor(server, settings))

  for (const answer of REFUSALS) {
    it(`${answer.title} is ${answer.code}`, async () => {
      server.reply = () => answer.reply
      expectError(await fails(), answer, OWNER)
      expectError(await throwOf(host, configFor(server)), answer, OWNER)
    })
  }

  for (const answer of STREAMS) {
    it(`a stream with ${answer.title} is ${answer.code}`, async () => {
      server.reply = () => answer.reply
      expectError(await fails(), answer, OWNER)
    })
  }

  it('a rate limit with a date is counted in seconds', async () => {
    const headers = { 'retry-after': inTenSeconds() }
    server.reply = () => refused(429, 'rate_limit_error', { headers })
    expect(await fails())
      .to.have.property('retryAfter')
      .within(8, 10)
  })

  it('an API that is overloaded in the middle keeps what came', async () => {
    const lines = [...EVERYTHING.lines.slice(0, 6), errorEvent('overloaded_error')]
    server.reply = () => streamOf(...lines)
    const { gathered, result } = await streamed(host, configFor(server))
    expectError(result.error, { code: 'OVERLOADED', facts: { retryable: true } }, OWNER)
    expect(gathered[0]?.parts[0]).to.have.property('type', 'reasoning')
  })

  it('a key that is missing is PROVIDER_UNAUTHORIZED, and nothing is asked', async () => {
    const settings = { anthropic: { max_retries: 0 } }
    const error = await failOf(host, { provider: 'anthropic', model: 'claude-opus-5', settings })
    expect(error).to.include({ code: 'PROVIDER_UNAUTHORIZED' })
    expect((error as Error).message).to.match(/settings\.anthropic\.api_key.*ANTHROPIC_API_KEY/)
  })

  it('a server that is not there is PROVIDER_FAILED, with the reason', async () => {
    const error = await fails({ base_url: 'http://127.0.0.1:9' })
    expect(error).to.include({ code: 'PROVIDER_FAILED', retryable: true })
    expect((error as Error).message)
      .to.match(/ECONNREFUSED|bad port|fetch failed/)
      .and.include('Check settings.anthropic.base_url.')
  })

  it('a stream that ends early is STREAM_INTERRUPTED, cut anywhere', async function () {
    this.timeout(60_000)
    let text = ''
    const cut = await hostAnswered(() => text)
    const bytes = Buffer.from(streamText('messages', EVERYTHING.lines))
    await expectInterrupted(bytes, (body) => {
      text = Buffer.from(body).toString()
      return streamed(cut, configFor(NOWHERE))
    })
  })

  it('a stream whose connection is lost is STREAM_INTERRUPTED', async () => {
    const bytes = Buffer.from(streamText('messages', EVERYTHING.lines))
    server.reply = () => streamReply([bytes.subarray(0, bytes.length / 2)], { ending: 'lost' })
    expect(await fails()).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
  })

  it(`an event of ${MEGABYTES} MB passes`, async function () {
    this.timeout(60_000)
    const big = 'x'.repeat(MEGABYTES * 1024 * 1024)
    const delta = { type: 'text_delta', text: big }
    const event = JSON.stringify({ type: 'content_block_delta', index: 99, delta })
    const [first = '', ...rest] = EVERYTHING.lines
    const pieces = piecesOf(streamText('messages', [first, event, ...rest]), 64 * 1024)
    server.reply = () => streamReply(pieces)
    const { gathered, result } = await streamed(host, configFor(server))
    expect(result.status).to.equal('done')
    expect(gathered).to.deep.equal(result.messages)
    expect(JSON.stringify(gathered).length).to.be.greaterThan(big.length)
  })
})
