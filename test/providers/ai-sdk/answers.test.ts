import { expect } from 'chai'
import type { RawPart } from '../../../providers/ai-sdk/model-types.ts'
import type { Host, Message } from '../../../src/core/index.ts'
import { streamed } from '../openai/asking.ts'
import { configOf, FakeModels, FINISH, hostOf, SAID, user } from './models.ts'

const META = { fake: { signature: 'a\u0000b', deep: [{ n: 1.5 }] } }

/** An answer of each kind of part, whole and as a stream. */
const WHOLE = [
  { type: 'reasoning', text: 'I think.', providerMetadata: META },
  { type: 'text', text: 'Hello', providerMetadata: META },
  {
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'add',
    input: '{"a":1}',
    providerMetadata: META,
  },
  { type: 'tool-call', toolCallId: 'p1', toolName: 'search', input: '{}', providerExecuted: true },
  { type: 'tool-result', toolCallId: 'p1', toolName: 'search', result: { found: 1 } },
  { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } },
  { type: 'source', sourceType: 'url', id: 's', url: 'https://a.test/', title: 'A' },
  { type: 'custom', kind: 'fake.note', providerMetadata: META },
]
const PARTS: readonly RawPart[] = [
  { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'seed', details: 'never' }] },
  { type: 'response-metadata', id: 'r1', modelId: 'm-2' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'I think.' },
  { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: META },
  { type: 'reasoning-end', id: '0' },
  // The same id as the reasoning, as some packages have it.
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Hel' },
  { type: 'text-delta', id: '0', delta: 'lo' },
  { type: 'text-end', id: '0', providerMetadata: META },
  { type: 'tool-input-start', id: 'c1', toolName: 'add' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"a":' },
  { type: 'tool-input-delta', id: 'c1', delta: '1}' },
  { type: 'tool-input-end', id: 'c1' },
  ...WHOLE.slice(2),
]

describe('answers in the provider ai-sdk', () => {
  let models: FakeModels
  let host: Host
  before(async () => {
    models = new FakeModels()
    host = await hostOf(models)
  })
  after(() => host.close())
  beforeEach(() => {
    models.told = {}
    models.asked.length = 0
    models.isCancelled = false
  })

  const answerTo = async (parts: readonly RawPart[]) => {
    models.told = { ...models.told, parts }
    return streamed(host, configOf())
  }

  it('are the same whole and streamed', async () => {
    const response = { id: 'r1', modelId: 'm-2', timestamp: new Date() }
    const { type: _, ...ending } = FINISH.v4
    models.told = { whole: { content: WHOLE, ...ending, response, warnings: [] } }
    const sent = await host.send(configOf(), 'Hello')
    const { result, gathered } = await answerTo([...PARTS, FINISH.v4])
    expect(result.error).to.equal(undefined)
    expect(result.messages).to.deep.equal(sent.messages)
    expect(gathered).to.deep.equal(sent.messages)
    expect(result.usage).to.deep.equal({ input: 3, output: 2 })
    expect(result.finishReason).to.equal('stop')
    expect(result.messages[0]?.metadata).to.deep.include({ responseId: 'r1', model: 'm-2' })
    expect(result.warnings.join()).to.include('seed').and.to.include('never')
  })

  it('come back to the same model API with the ids of their calls, and to others with ids that all take', async () => {
    const callId = 'functions.add:0'
    const call = { type: 'tool-call', toolCallId: callId, toolName: 'add', input: '{}' }
    const { result } = await answerTo([call, FINISH.v4])
    const parts = [{ type: 'tool-result', callId, name: 'add', output: 2 }] as const
    const idFor = async (provider?: string) => {
      models.told = provider === undefined ? {} : { provider }
      const history = [user('Add'), ...result.messages, { role: 'tool', parts } as const]
      await host.stream(configOf(), history).result
      const prompt = models.asked.at(-1)?.['prompt'] as { content: { toolCallId?: string }[] }[]
      return prompt[1]?.content[0]?.toolCallId
    }
    expect(await idFor()).to.equal(callId)
    expect(await idFor('other.chat')).to.match(/^[\w-]+$/)
  })

  it('come back without the reasoning at their end, as where they were stopped', async () => {
    const { result } = await answerTo([...PARTS.slice(0, 6), FINISH.v4])
    expect(result.messages[0]?.parts.map(({ type }) => type)).to.deep.equal(['reasoning'])
    await host.stream(configOf(), [user('Hello'), ...result.messages, user('Well?')]).result
    const prompt = models.asked.at(-1)?.['prompt'] as readonly { readonly role: string }[]
    expect(prompt.map(({ role }) => role)).to.deep.equal(['user', 'user'])
  })

  it('come back to the same model API with their metadata as it was', async () => {
    const { result } = await answerTo([...PARTS, FINISH.v4])
    const results: Message = {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c1', name: 'add', output: 2 }],
    }
    const history = [user('Hello'), ...result.messages, results]
    await host.stream(configOf(), history).result
    const sentBack = () => {
      const prompt = models.asked.at(-1)?.['prompt'] as { content: object[] }[]
      return prompt[1]?.content
    }
    expect(sentBack()).to.deep.equal([
      { type: 'reasoning', text: 'I think.', providerOptions: META },
      { type: 'text', text: 'Hello', providerOptions: META },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'add',
        input: { a: 1 },
        providerOptions: META,
      },
      {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'search',
        input: {},
        providerExecuted: true,
      },
      {
        type: 'tool-result',
        toolCallId: 'p1',
        toolName: 'search',
        output: { type: 'json', value: { found: 1 } },
      },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } },
      { type: 'custom', kind: 'fake.note', providerOptions: META },
    ])
    models.told = { provider: 'other.chat' }
    await host.stream(configOf(), history).result
    const toOthers = JSON.stringify(sentBack())
    expect(toOthers).to.include('[file image/png]')
    expect(toOthers).not.to.include('signature')
    expect(toOthers).not.to.include('iVBORw0=')
  })

  it('of the specification v2 have their reason, their tokens and their files too', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2]) }
    const usage = { inputTokens: 9, outputTokens: 5, reasoningTokens: 4, cachedInputTokens: 2 }
    models.told = { version: 'v2' }
    const finish = { type: 'finish', finishReason: 'unknown', usage }
    const { result } = await answerTo([...SAID, file, finish])
    expect(result.finishReason).to.equal('other')
    expect(result.usage).to.deep.equal({ input: 9, output: 5, reasoning: 4, cacheRead: 2 })
    expect(result.messages[0]?.parts.at(-1)).to.deep.equal({
      type: 'file',
      mediaType: 'image/png',
      data: 'AQI=',
      providerMetadata: { 'ai-sdk': { server: 'fake.chat' } },
    })
  })

  it('leave out counts of tokens that contradict each other', async () => {
    const finish = (input: object, output: object) => ({
      ...FINISH.v4,
      usage: { inputTokens: input, outputTokens: output },
    })
    const thought = await answerTo([...SAID, finish({ total: 1 }, { total: 2, reasoning: 3 })])
    expect(thought.result.usage).to.deep.equal({ input: 1, output: 2 })
    const read = await answerTo([
      ...SAID,
      finish({ total: 1, cacheRead: 2 }, { total: 2, reasoning: 1 }),
    ])
    expect(read.result.usage).to.deep.equal({ input: 1, output: 2, reasoning: 1 })
  })

  it('list sources that only the text cites', async () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'https://a.test/' }
    const other = { ...source, url: 'https://b.test/' }
    const cited = { ...SAID[2]!, citations: [{ source }, { source: other }, { source: other }] }
    const { result } = await answerTo([SAID[0]!, SAID[1]!, cited, source, FINISH.v4])
    const urls = result.messages[0]?.parts.flatMap((part) => ('url' in part ? [part.url] : []))
    expect(urls).to.deep.equal(['https://a.test/', 'https://b.test/'])
  })

  it('close what the stream leaves open', async () => {
    const begun = { type: 'tool-input-start', id: 'c', toolName: 'add' }
    const { events, result } = await answerTo([SAID[0]!, SAID[1]!, begun, FINISH.v4])
    expect(events.map(({ type }) => type)).to.include.members(['text-end', 'tool-call-end'])
    expect(result.messages[0]?.parts).to.have.length(2)
  })

  it('keep arguments that are no JSON as text', async () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'add', input: '{"a":' }
    const { result } = await answerTo([call, FINISH.v4])
    expect(result.messages[0]?.parts[0]).to.deep.include({ name: 'add', input: '{"a":' })
  })

  it('fail where the stream ends before them, or says that it did', async () => {
    const cut = await answerTo(SAID)
    expect(cut.result.error).to.include({ code: 'STREAM_INTERRUPTED', retryable: true })
    const told = { ...FINISH.v4, finishReason: { unified: 'interrupted' } }
    const interrupted = await answerTo([...SAID, told])
    expect(interrupted.result.error?.code).to.equal('STREAM_INTERRUPTED')
  })

  const apiError = (facts: object, message = 'Too many') =>
    Object.assign(new Error(message), { name: 'AI_APICallError', url: 'x', ...facts })

  type Failure = readonly [title: string, thrown: unknown, error: object]
  const ERRORS: readonly Failure[] = [
    [
      'a status and a delay',
      apiError({ statusCode: 429, responseHeaders: { 'retry-after': '7' }, isRetryable: true }),
      { code: 'RATE_LIMITED', status: 429, retryAfter: 7, retryable: true },
    ],
    [
      'what the body says',
      apiError({ statusCode: 400, responseBody: '{"error":{"code":"context_length_exceeded"}}' }),
      { code: 'CONTEXT_OVERFLOW', status: 400, retryable: false },
    ],
    [
      'the part of an answer that its schema refuses',
      apiError(
        {
          statusCode: 200,
          responseBody: '{"id":"c"}',
          cause: Object.assign(new Error('Type validation failed: Value: {"id":"c"}.'), {
            cause: Object.assign(new Error('invalid'), {
              issues: [{ path: ['choices', 0], message: 'Required' }, { message: 'Odd' }],
            }),
          }),
        },
        'Invalid JSON response',
      ),
      {
        code: 'PROVIDER_FAILED',
        status: 200,
        message:
          'The AI SDK provider answered with status 200: Invalid JSON response (choices.0: Required; Odd)',
      },
    ],
    [
      'nobody there',
      apiError({ isRetryable: true }, 'Cannot connect'),
      { code: 'PROVIDER_FAILED', retryable: true },
    ],
    ...(
      [
        ['no key', 'AI_LoadAPIKeyError', 'PROVIDER_UNAUTHORIZED'],
        ['no setting', 'AI_LoadSettingError', 'SETTINGS_INVALID'],
        ['an argument that is wrong', 'AI_InvalidArgumentError', 'INVALID_REQUEST'],
        ['a prompt that is wrong', 'AI_InvalidPromptError', 'INVALID_REQUEST'],
        ['what the package cannot do', 'AI_UnsupportedFunctionalityError', 'INVALID_REQUEST'],
        ['a model that is unknown', 'AI_NoSuchModelError', 'MODEL_UNKNOWN'],
      ] as const
    ).map(
      ([title, name, code]): Failure => [
        title,
        Object.assign(new Error('It fails.'), { name }),
        { code, retryable: false },
      ],
    ),
    ['any other error', new TypeError('x is not a function'), { code: 'PROVIDER_FAILED' }],
  ]
  for (const [title, thrown, error] of ERRORS) {
    it(`have a code for ${title}`, async () => {
      models.told = { thrown }
      const { result } = await streamed(host, configOf())
      expect(result.error).to.include(error)
      const sent = await host.send(configOf(), 'Hello').catch((failed: object) => failed)
      expect(sent).to.include(error)
    })
  }

  it('have a code for an error in the stream, which may be plain data', async () => {
    const error = { type: 'overloaded_error', message: 'Busy' }
    const { result } = await answerTo([...SAID, { type: 'error', error }])
    expect(result.error).to.include({ code: 'OVERLOADED', retryable: true })
    const text = await answerTo([...SAID, { type: 'error', error: 'gone' }])
    expect(text.result.error?.message).to.include('gone')
  })

  it('tell no secret of the settings in an error', async () => {
    models.told = { thrown: apiError({ statusCode: 401 }, 'Wrong: key-a-b-c and sesame') }
    const secrets = { api_key: 'key-a-b-c', secret_options: { token: 'sesame' } }
    const { result } = await streamed(host, configOf({}, secrets))
    expect(result.error?.message).not.to.match(/key-a-b-c|sesame/)
  })

  it('end at once when they are cancelled, and close the stream', async () => {
    models.told = { parts: SAID, isEndless: true }
    const controller = new AbortController()
    const stream = host.stream(configOf(), 'Hello', { signal: controller.signal })
    for await (const event of stream) if (event.type === 'text-end') controller.abort()
    expect((await stream.result).status).to.equal('aborted')
    expect(models.isCancelled).to.equal(true)
    expect(models.asked[0]?.abortSignal.aborted).to.equal(true)
  })

  it('fail where the model API does not begin in time', async () => {
    const slow = new FakeModels()
    const { languageModel } = slow
    const silent = (id: string) => ({ ...languageModel(id), doStream: () => new Promise(() => {}) })
    const own = await hostOf(Object.assign(slow, { languageModel: silent }))
    const { error } = await own.stream(configOf({ limits: { connect: 0.05 } }), 'Hello').result
    await own.close()
    expect(error).to.include({ code: 'TIMEOUT', retryable: true })
    expect(error?.message).to.include('limits.connect')
  })
})
