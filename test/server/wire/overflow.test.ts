import { expect } from 'chai'
import { eventProvider } from '../../helpers/plugins.ts'
import { Served } from '../routes/served.ts'

const messages = [{ role: 'user', content: 'hi' }]
const CHAT = { model: 'm', messages }
const MESSAGES = { ...CHAT, max_tokens: 9 }
const RESPONSES = { model: 'm', input: 'hi' }

const ANTHROPIC = 'prompt is too long: 215000 tokens > 200000 maximum'
const OPENAI =
  "This model's maximum context length is 200000 tokens. However, your messages resulted in 215000 tokens"

/** By the words of the API, or of the plugin, that refused the messages. */
const REFUSALS: readonly string[] = [
  `Anthropic answered with status 400: ${ANTHROPIC}`,
  `OpenAI answered with status 400: ${OPENAI}. Please reduce the length of the messages.`,
  'llama.cpp answered with status 400: the request (215000 tokens) exceeds the available context size (200000 tokens)',
  'The messages are 215000 tokens long, and 200000 fit.',
]

const SAID = [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta: 'so' },
]

describe('messages that are too long for the model', () => {
  let served: Served
  afterEach(() => served.close())

  async function told(message: string, path: string, body: object, before: readonly object[] = []) {
    const stream = function* () {
      yield* before
      throw Object.assign(new Error(message), { code: 'CONTEXT_OVERFLOW', retryable: false })
    }
    served = await Served.start(
      { models: { m: {} } },
      { plugins: [eventProvider([], { stream })], config: { provider: 'p' } },
    )
    return served.ask(path, { body })
  }

  for (const message of REFUSALS) {
    it(`are told to clients of Anthropic in its words: ${message.slice(0, 30)}…`, async () => {
      const { status, text } = await told(message, '/v1/messages', MESSAGES)
      expect(status).to.equal(400)
      expect(text).to.include(`"message":"${ANTHROPIC}"`)
    })

    it(`are told to clients of OpenAI in its words: ${message.slice(0, 30)}…`, async () => {
      const { status, text } = await told(message, '/v1/chat/completions', CHAT)
      expect(status).to.equal(400)
      expect(text).to.include(OPENAI).and.to.include('"code":"context_length_exceeded"')
    })
  }

  it('are told without numbers where these are unknown, and without the words of the API', async () => {
    const { text } = await told('Too many tokens in "my secret"', '/v1/messages', MESSAGES)
    expect(text)
      .to.match(/"prompt is too long: \D+"/)
      .and.not.include('secret')
    await served.close()
    const openai = await told('Too many tokens in "my secret"', '/v1/responses', RESPONSES)
    expect(openai.text).to.include("This model's maximum context length is")
    expect(openai.text).to.include('exceeds the context window').and.not.include('secret')
  })

  it('are told with the limit alone where that is known', async () => {
    const limit = 'maximum context length is 200000 tokens.'
    const { text } = await told(limit, '/v1/chat/completions', CHAT)
    expect(text).to.include(`This model's ${limit}`)
    await served.close()
    const anthropic = await told(limit, '/v1/messages', MESSAGES)
    expect(anthropic.text).to.include('"prompt is too long: ').and.to.include('of 200000 tokens')
  })

  const STREAMS = [
    ['/v1/messages', MESSAGES, ANTHROPIC],
    ['/v1/chat/completions', CHAT, OPENAI],
    ['/v1/responses', RESPONSES, OPENAI],
  ] as const
  for (const [path, body, words] of STREAMS) {
    for (const before of [[], SAID]) {
      const when = before.length > 0 ? 'after its first words' : 'before anything else'
      it(`are told in a stream of ${path} ${when}`, async () => {
        const [message = ''] = REFUSALS
        const { text } = await told(message, path, { ...body, stream: true }, before)
        expect(text).to.include(words)
        if (words === OPENAI) expect(text).to.include('"code":"context_length_exceeded"')
      })
    }
  }
})
