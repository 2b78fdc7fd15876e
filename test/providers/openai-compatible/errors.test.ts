import { expect } from 'chai'
import { createOpenAICompatible } from '../../../providers/openai-compatible/index.ts'
import { createHost, HostError } from '../../../src/core/index.ts'
import { errorOf } from '../../helpers/plugins.ts'
import { configFor, configWith } from './asking.ts'

const RETRYABLE = ['PROVIDER_FAILED', 'RATE_LIMITED', 'OVERLOADED']

/** What a request throws that is answered with this status and body. */
async function refusal(status: number, body: unknown): Promise<HostError> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' }
  const fetch: typeof globalThis.fetch = async () => new Response(text, { status, headers })
  const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
  try {
    await host.send(configFor({ url: 'https://nowhere.test/v1' }), 'Hello')
  } catch (error) {
    if (HostError.is(error)) return error
  }
  throw new Error('no refusal')
}

describe('refusals of OpenAI-compatible servers', () => {
  const answers: readonly [
    title: string,
    status: number,
    body: unknown,
    said: string,
    code: string,
  ][] = [
    ['an error object', 400, { error: { message: 'Bad field' } }, 'Bad field', 'INVALID_REQUEST'],
    [
      'an error text',
      400,
      { code: 'x', error: 'Model does not support stop.' },
      'support stop',
      'INVALID_REQUEST',
    ],
    [
      'an error text and a code',
      429,
      { error: 'Slow down', code: 'rate_limit_exceeded' },
      'Slow down',
      'RATE_LIMITED',
    ],
    [
      'a message',
      400,
      { object: 'error', message: 'Tool call id was x', code: '3280' },
      'Tool call id',
      'INVALID_REQUEST',
    ],
    ['a detail', 422, { detail: 'Not a number' }, 'Not a number', 'INVALID_REQUEST'],
    [
      'a list of faults',
      422,
      { detail: [{ loc: ['body', 'seed'], msg: 'Extra inputs' }] },
      'body.seed: Extra inputs',
      'INVALID_REQUEST',
    ],
    [
      'a list of errors',
      400,
      [{ error: { message: 'Bad key', status: 'X' } }],
      'Bad key',
      'INVALID_REQUEST',
    ],
    [
      'an unknown model',
      404,
      { object: 'error', message: 'The model `m` does not exist.' },
      'does not exist',
      'MODEL_UNKNOWN',
    ],
    [
      'an unknown model of Ollama',
      404,
      { error: { message: 'model "llama9" not found, try pulling it first', type: 'api_error' } },
      'try pulling it first',
      'MODEL_UNKNOWN',
    ],
    [
      'tools for a model of Ollama without them',
      400,
      { error: { message: 'gemma:2b does not support tools', type: 'api_error', code: null } },
      'does not support tools',
      'INVALID_REQUEST',
    ],
    [
      'a fault of a server, by its type alone',
      500,
      { error: { message: 'It broke', type: 'api_error' } },
      'It broke',
      'PROVIDER_FAILED',
    ],
    [
      'what the server behind a gateway refuses, as JSON in a text',
      400,
      {
        error: {
          message: 'Provider returned error',
          code: 400,
          metadata: {
            raw: '{"type":"error","error":{"message":"prompt is too long: 210000 tokens"}}',
            provider_name: 'Anthropic',
          },
        },
      },
      'Provider returned error (Anthropic: prompt is too long: 210000 tokens)',
      'CONTEXT_OVERFLOW',
    ],
    [
      'what the server behind a gateway refuses, as a list',
      400,
      { error: { message: 'No', metadata: { raw: [{ error: { message: 'bad schema' } }] } } },
      'No (bad schema)',
      'INVALID_REQUEST',
    ],
    [
      'what the server behind a gateway says',
      429,
      { error: { message: 'No', metadata: { raw: 'x is rate-limited', provider_name: 'Chutes' } } },
      'No (Chutes: x is rate-limited)',
      'RATE_LIMITED',
    ],
    [
      'an input that was flagged',
      403,
      {
        error: {
          message:
            'x requires moderation on OpenAI. Your input was flagged. No credits were charged.',
          code: 403,
          metadata: { reasons: ['violence'], provider_name: 'OpenAI' },
        },
      },
      'Your input was flagged',
      'CONTENT_FILTERED',
    ],
    [
      'an input that DeepSeek filters',
      400,
      { error: { message: 'Content Exists Risk', type: 'invalid_request_error' } },
      'Content Exists Risk',
      'CONTENT_FILTERED',
    ],
    [
      'an unknown model of DeepSeek',
      400,
      { error: { message: 'Model Not Exist', type: 'invalid_request_error' } },
      'Model Not Exist',
      'MODEL_UNKNOWN',
    ],
    [
      'a team without credits',
      403,
      { code: 'No permission', error: "Your newly created team doesn't have any credits yet." },
      'any credits',
      'QUOTA_EXCEEDED',
    ],
    [
      'a wrong key with status 400',
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: k-***.' },
      'Set settings.openai-compatible.api_key',
      'PROVIDER_UNAUTHORIZED',
    ],
    [
      'a wrong key of Gemini',
      400,
      [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
      'Set settings.openai-compatible.api_key',
      'PROVIDER_UNAUTHORIZED',
    ],
    [
      'a model that no server behind OpenRouter has',
      404,
      { error: { message: 'No endpoints found for some/model.', code: 404 } },
      'some/model',
      'MODEL_UNKNOWN',
    ],
    [
      'a tier without capacity',
      498,
      { error: { message: 'Flex capacity exceeded', code: 'capacity_exceeded' } },
      'Flex capacity',
      'OVERLOADED',
    ],
    [
      'an overloaded API with the type of a broken one',
      503,
      { error: { message: 'Slow Down', type: 'server_error', param: null, code: null } },
      'Slow Down',
      'OVERLOADED',
    ],
    [
      'an overloaded API with the status of a broken one',
      500,
      { error: { message: 'The engine is currently overloaded.', type: 'server_error' } },
      'overloaded',
      'OVERLOADED',
    ],
    ['a page', 502, '<html>Bad gateway</html>', 'a page instead of JSON', 'PROVIDER_FAILED'],
    ['nothing', 500, '', 'status 500', 'PROVIDER_FAILED'],
  ]
  for (const [title, status, body, said, code] of answers) {
    it(`say what is wrong with ${title}`, async () => {
      const error = await refusal(status, body)
      expect(error.message).to.include(said)
      expect(error.code).to.equal(code)
      expect(error.retryable).to.equal(RETRYABLE.includes(code))
    })
  }

  it('lead to no other address where no server behind a gateway fits', async () => {
    const message = 'No endpoints found that support tool use.'
    const error = await refusal(404, { error: { message, code: 404 } })
    expect(error).to.include({ code: 'INVALID_REQUEST', retryable: false })
    expect(error.message).to.include(message).and.not.include('base_url')
  })

  it('quote no more than the beginning of what the server behind a gateway says, without the key', async () => {
    const metadata = { raw: `Wrong key sk-test-0123456789. ${'long '.repeat(1000)}` }
    const { message } = await refusal(400, { error: { message: 'No', metadata } })
    expect(message).to.include('Wrong key ***').and.not.include('0123456789')
    expect(message.length).to.be.below(1200)
  })

  it('point to the field of the request that the server refuses, and only then', async () => {
    const error = { message: 'Wrong', param: 'messages[0].content' }
    const pointer = '/messages/0/content'
    expect(await refusal(400, { error })).to.include({ code: 'INVALID_REQUEST', pointer })
    for (const status of [401, 429, 500])
      expect(await refusal(status, { error }), String(status)).to.not.have.property('pointer')
    for (const param of ['a sentence', '', 7, null])
      expect(await refusal(400, { error: { ...error, param } })).to.not.have.property('pointer')
  })

  it('have the time to wait that the error tells, as OpenRouter and Google write it', async () => {
    const delayed = async (more: object) =>
      (await refusal(429, { error: { message: 'Later', ...more } })).retryAfter
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo' }
    expect(await delayed({ metadata: { retry_after_seconds: 12 } })).to.equal(12)
    expect(await delayed({ details: [{ reason: 'x' }, { ...info, retryDelay: '3.5s' }] })).to.equal(
      3.5,
    )
    for (const retryDelay of ['soon', '-1s', 3, '1e9s'])
      expect(await delayed({ details: [{ ...info, retryDelay }] })).to.equal(undefined)
    expect(await delayed({ metadata: { retry_after_seconds: '9' } })).to.equal(undefined)
  })

  it('are of the settings where nothing says which server to ask', async () => {
    const host = await createHost({ plugins: [createOpenAICompatible()] })
    const { error } = await host.stream(configWith({}), 'Hello').result
    expect(error).to.include({
      code: 'SETTINGS_INVALID',
      pointer: '/settings/openai-compatible/base_url',
    })
  })

  it('are of the settings where the preset is unknown', async () => {
    const host = await createHost({ plugins: [createOpenAICompatible()] })
    for (const preset of ['grok', 'constructor', '__proto__']) {
      const { error } = await host.stream(configWith({ preset }), 'Hello').result
      expect(error?.pointer).to.equal('/settings/openai-compatible/preset')
      expect(error?.message).to.include('deepseek')
    }
  })

  it('are of the config where it names no model for a server that needs one', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('no request', { status: 500 })
    const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
    const settings = { 'openai-compatible': { preset: 'ollama' } }
    const { error } = await host.stream({ provider: 'openai-compatible', settings }, 'Hello').result
    expect(error).to.include({ code: 'CONFIG_INVALID', pointer: '/model', retryable: false })
    expect(error?.message).to.include('--model NAME').and.include('braidwork models --refresh')
  })

  it('are of the server where a server of one model refuses a request without one', async () => {
    const fetch: typeof globalThis.fetch = async () => new Response('No', { status: 400 })
    const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
    const settings = { 'openai-compatible': { preset: 'llama-cpp' } }
    const { error } = await host.stream({ provider: 'openai-compatible', settings }, 'Hello').result
    expect(error).to.include({ code: 'INVALID_REQUEST', status: 400 })
  })

  it('name the setting and the variable of a key that is missing', async () => {
    const host = await createHost({ plugins: [createOpenAICompatible()] })
    const { error } = await host.stream(configWith({ preset: 'groq' }), 'Hello').result
    expect(error?.code).to.equal('PROVIDER_UNAUTHORIZED')
    expect(error?.message)
      .to.include('settings.openai-compatible.api_keys.groq')
      .and.include('GROQ_API_KEY')
  })
})

describe('keys of OpenAI-compatible servers', () => {
  /** The address of a request, and the key that it carries. */
  const asked = async (settings: object): Promise<readonly unknown[]> => {
    let seen: readonly unknown[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen = [String(input), new Headers(init?.headers).get('authorization')]
      return new Response('{"choices":[]}', { headers: { 'content-type': 'application/json' } })
    }
    const host = await createHost({ plugins: [createOpenAICompatible({ fetch })] })
    await host.send(configWith({ ...settings }), 'Hello').catch(() => undefined)
    return seen
  }
  const api_keys = { groq: 'gsk-own-key-of-groq', mistral: 'own-key-of-mistral' }
  const OWN = 'https://api.groq.com/openai/v1/chat/completions'
  const OTHER = 'https://other.test/v1/chat/completions'

  for (const [title, settings, expected] of [
    ['go to their preset', { preset: 'groq', api_keys }, [OWN, 'Bearer gsk-own-key-of-groq']],
    [
      'go to the address of their preset, however it is written',
      { preset: 'groq', api_keys, base_url: 'https://api.groq.com/openai/v1/' },
      [OWN, 'Bearer gsk-own-key-of-groq'],
    ],
    [
      'go nowhere else',
      { preset: 'groq', api_keys, base_url: 'https://other.test/v1' },
      [OTHER, null],
    ],
    [
      'go nowhere without a preset',
      { api_keys, base_url: 'https://api.groq.com/openai/v1' },
      [OWN, null],
    ],
    [
      'win over the one without a preset',
      { preset: 'groq', api_keys, api_key: 'another-key' },
      [OWN, 'Bearer gsk-own-key-of-groq'],
    ],
    [
      'may be that without a preset',
      { preset: 'groq', api_key: 'another-key' },
      [OWN, 'Bearer another-key'],
    ],
    [
      'are not needed on the own machine',
      { preset: 'ollama' },
      ['http://127.0.0.1:11434/v1/chat/completions', null],
    ],
    [
      'go to a server without a preset',
      { base_url: 'https://other.test/v1', api_key: 'another-key' },
      [OTHER, 'Bearer another-key'],
    ],
  ] as const) {
    it(title, async () => {
      expect(await asked(settings)).to.deep.equal(expected)
    })
  }

  const BAD = 'gsk-own\nkey'
  for (const [title, settings, pointer] of [
    ['that of the preset', { api_keys: { groq: BAD } }, 'api_keys/groq'],
    ['that without a preset', { api_key: BAD }, 'api_key'],
    [
      'that without a preset, at another address',
      { api_key: BAD, api_keys, base_url: 'https://other.test/v1' },
      'api_key',
    ],
  ] as const) {
    it(`are refused with the config where no header can carry them: ${title}`, async () => {
      const host = await createHost({ plugins: [createOpenAICompatible()] })
      const error = await errorOf(host.open(configWith({ preset: 'groq', ...settings })))
      expect(error).to.include({
        code: 'SETTINGS_INVALID',
        pointer: `/settings/openai-compatible/${pointer}`,
      })
      expect(error.message).to.include('contains a line break').and.not.include('gsk-own')
      const { error: sent } = await host.stream(configWith({ preset: 'groq', ...settings }), 'Hi')
        .result
      expect(sent).to.include({ pointer: error.pointer, message: error.message })
      await host.close()
    })
  }

  it('are taken with the config where another one is sent', async () => {
    const host = await createHost({ plugins: [createOpenAICompatible()] })
    const unused = { preset: 'groq', api_keys: { ...api_keys, mistral: BAD }, api_key: BAD }
    await host.open(configWith(unused))
    await host.close()
  })
})
