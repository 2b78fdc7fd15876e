import { expect } from 'chai'
import type { ConfigLayer, Host, Message } from '../../../src/core/index.ts'
import { configOf, FakeModels, hostOf, user } from './models.ts'

const CALL = { type: 'tool-call', callId: 'c1', name: 'add', input: { a: 1 } } as const
const RESULT = { type: 'tool-result', callId: 'c1', name: 'add', output: 2 } as const
const PNG = { type: 'file', mediaType: 'image/png', data: 'iVBORw0=' } as const

describe('requests of the provider ai-sdk', () => {
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
  })

  async function asked(messages: string | readonly Message[], config = configOf()) {
    const { error, warnings } = await host.stream(config, messages).result
    const { abortSignal: _, ...options } = models.asked.at(-1) ?? ({} as never)
    return { options, warnings, error }
  }

  const promptFor = async (version: string, messages: readonly Message[]) => {
    models.told = { version, provider: 'anthropic.messages' }
    const { options } = await asked(messages)
    return options['prompt']
  }

  it('have the messages in the roles of the AI SDK', async () => {
    const { options } = await asked([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
      user('Add'),
      { role: 'assistant', parts: [{ type: 'text', text: 'I add.' }, CALL] },
      { role: 'tool', parts: [RESULT] },
    ])
    expect(options['prompt']).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Add' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I add.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'add',
            output: { type: 'json', value: 2 },
          },
        ],
      },
    ])
  })

  for (const input of ['{"a":', 'raw', null, [1], 5]) {
    it(`wrap the arguments ${JSON.stringify(input)} of an earlier call in an object`, async () => {
      const call = { ...CALL, input }
      const history = [user('Add'), { role: 'assistant', parts: [call] }] as const
      const { options } = await asked([...history, { role: 'tool', parts: [RESULT] }])
      const { content } = (options['prompt'] as { content: { input: unknown }[] }[])[1]!
      expect(content[0]?.input).to.deep.equal({ INVALID_JSON: input })
    })
  }

  it('say the outputs of tools in the form that fits', async () => {
    models.told = { provider: 'anthropic.messages' }
    const outputOf = async (output: unknown, isError?: true) => {
      const result = { ...RESULT, output, ...(isError ? { isError } : {}) }
      const history = [user('Add'), { role: 'assistant', parts: [CALL] }] as const
      const { options } = await asked([...history, { role: 'tool', parts: [result] }])
      const prompt = options['prompt'] as { content: { output: unknown }[] }[]
      return prompt.at(-1)?.content[0]?.output
    }
    expect(await outputOf('two')).to.deep.equal({ type: 'text', value: 'two' })
    expect(await outputOf('no', true)).to.deep.equal({ type: 'error-text', value: 'no' })
    expect(await outputOf({ no: 1 }, true)).to.deep.equal({ type: 'error-json', value: { no: 1 } })
    expect(await outputOf(null)).to.deep.equal({ type: 'json', value: null })
    expect(await outputOf([{ type: 'text', text: 'x' }])).to.deep.equal({
      type: 'content',
      value: [{ type: 'text', text: 'x' }],
    })
    const native = { native: { 'ai-sdk': { type: 'text', value: 'own' } }, output: 'others' }
    expect(await outputOf(native)).to.deep.equal({ type: 'text', value: 'own' })
  })

  const FILES = {
    v2: 'iVBORw0=',
    v3: 'iVBORw0=',
    v4: { type: 'data', data: 'iVBORw0=' },
  }
  const ITEMS = {
    v2: { type: 'media', data: 'iVBORw0=', mediaType: 'image/png' },
    v3: { type: 'image-data', data: 'iVBORw0=', mediaType: 'image/png' },
    v4: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } },
  }
  for (const version of ['v2', 'v3', 'v4'] as const) {
    it(`have files in the form of the specification ${version}`, async () => {
      const prompt = await promptFor(version, [{ role: 'user', parts: [PNG] }])
      expect(prompt).to.deep.equal([
        { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: FILES[version] }] },
      ])
    })

    it(`have the files of tools in the form of the specification ${version}`, async () => {
      const history = [user('Draw'), { role: 'assistant', parts: [CALL] }] as const
      const result = { ...RESULT, output: [PNG] }
      const prompt = await promptFor(version, [...history, { role: 'tool', parts: [result] }])
      const { content } = (prompt as { content: { output: unknown }[] }[]).at(-1)!
      expect(content[0]?.output).to.deep.equal({ type: 'content', value: [ITEMS[version]] })
    })
  }

  it('leave a file with an address to a model API that fetches it, and refuse it otherwise', async () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'https://a.test/x.png' } as const
    const messages = [{ role: 'user', parts: [file] }] as const
    const refused = await asked(messages)
    expect(refused.error).to.include({
      code: 'INVALID_REQUEST',
      pointer: '/messages/0/parts/0',
    })
    models.told = { supportedUrls: { 'image/*': [/^https:\/\/a\.test\//g] } }
    for (const _ of [1, 2]) {
      const { options } = await asked(messages)
      const [{ content }] = options['prompt'] as [{ content: { data: { url: URL } }[] }]
      expect(content[0]?.data.url.href).to.equal('https://a.test/x.png')
    }
  })

  it('name such a file of an earlier turn by a text', async () => {
    const file = { type: 'file', mediaType: 'image/png', url: 'https://a.test/x.png' } as const
    const { options } = await asked([
      { role: 'user', parts: [file] },
      { role: 'assistant', parts: [{ type: 'text', text: 'A cat.' }] },
      user('Sure?'),
    ])
    expect(JSON.stringify(options['prompt'])).to.include('[file image/png]')
  })

  const WAV = { type: 'file', mediaType: 'audio/wav', data: 'UklGRg==', name: 'a.wav' } as const
  const PDF = {
    type: 'file',
    mediaType: 'application/pdf',
    data: 'JVBERi0=',
    name: 'a.pdf',
  } as const
  const earlier = (...files: Message['parts']) =>
    [
      { role: 'user', parts: files },
      { role: 'assistant', parts: [{ type: 'text', text: 'Nice.' }] },
      user('Sure?'),
    ] as const
  const firstIn = ({ options }: Awaited<ReturnType<typeof asked>>) =>
    (options['prompt'] as { content: readonly object[] }[])[0]?.content

  for (const provider of [
    'anthropic.messages',
    'mistral.chat',
    'cohere.chat',
    'openai.responses',
  ]) {
    it(`name a file of an earlier turn that ${provider} does not take, and refuse it in the current one`, async () => {
      models.told = { provider }
      expect(firstIn(await asked(earlier(WAV)))).to.deep.equal([
        { type: 'text', text: '[file a.wav, audio/wav]' },
      ])
      const { error } = await asked([{ role: 'user', parts: [PNG, WAV] }])
      expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/1' })
    })
  }

  it('have all files for model APIs that take them or are not known', async () => {
    for (const provider of ['google.generative-ai', 'fake.chat', 'openai.chat']) {
      models.told = { provider }
      const [part] = firstIn(await asked(earlier(WAV))) ?? []
      expect(part, provider).to.include({ type: 'file', mediaType: 'audio/wav' })
    }
  })

  it('have the kinds of files that the settings say', async () => {
    const settings = { input: ['text', 'audio'] }
    models.told = { provider: 'anthropic.messages' }
    const prompt = firstIn(await asked(earlier(WAV, PNG), configOf({}, settings)))
    expect(prompt?.[0]).to.include({ type: 'file', mediaType: 'audio/wav' })
    expect(prompt?.[1]).to.deep.equal({ type: 'text', text: '[file image/png]' })
    const { tags } = await host.resolve(configOf({}, settings))
    expect(tags).not.to.include.members(['vision']).and.not.to.include.members(['files'])
  })

  it('name the file that a package refuses, and the setting', async () => {
    const message = "'media type: audio/wav' functionality not supported."
    models.told = {
      thrown: Object.assign(new Error(message), { name: 'AI_UnsupportedFunctionalityError' }),
    }
    const { error } = await asked(earlier(PNG, WAV))
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/1' })
    expect(error?.message).to.include('a.wav').and.to.include('settings.ai-sdk.input')
    models.told = {
      thrown: Object.assign(new Error('Non-image file content parts'), {
        name: 'AI_UnsupportedFunctionalityError',
      }),
    }
    expect((await asked(earlier(PNG, PDF))).error).to.include({ pointer: '/messages/0/parts/1' })
  })

  const drawn = (...output: Message['parts']): readonly Message[] => [
    user('Draw'),
    { role: 'assistant', parts: [CALL, { ...CALL, callId: 'c2' }] },
    { role: 'tool', parts: [{ ...RESULT, output }] },
    { role: 'tool', parts: [{ ...RESULT, callId: 'c2' }] },
  ]
  const done = { type: 'text', text: 'done' } as const

  it('have images of tools behind all results, where a package has only texts in them', async () => {
    const { options, warnings } = await asked(drawn(done, PNG))
    const [, , first, second, images] = options['prompt'] as { role: string; content: object[] }[]
    expect(first?.content[0]).to.deep.include({
      output: { type: 'text', value: 'done\n[file image/png]' },
    })
    expect(second?.role).to.equal('tool')
    expect(images).to.deep.equal({
      role: 'user',
      content: [
        { type: 'text', text: '[The images in the result of "add", call "c1":]' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0=' } },
      ],
    })
    expect(warnings).to.deep.equal([])
  })

  it('have an answer before such images where Mistral asks for one', async () => {
    models.told = { provider: 'mistral.chat' }
    const { options } = await asked(drawn(done, PNG))
    const roles = (options['prompt'] as { role: string }[]).map(({ role }) => role)
    expect(roles).to.deep.equal(['user', 'assistant', 'tool', 'tool', 'assistant', 'user'])
  })

  it('name other files of tools that a package does not take, with a warning', async () => {
    for (const provider of ['fake.chat', 'anthropic.messages']) {
      models.told = { provider }
      const { options, warnings } = await asked(drawn(done, WAV))
      expect(JSON.stringify(options['prompt']), provider).to.include('[file a.wav, audio/wav]')
      expect(warnings.join(), provider).to.include('In the result of "add" it is only named.')
    }
  })

  it('have the keys of the config, and the settings over them', async () => {
    const config: ConfigLayer = {
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 10,
      stop: 'END',
      seed: 4,
      reasoning_effort: 'low',
      response_format: { type: 'json-schema', schema: { type: 'object' }, name: 'answer' },
    }
    const settings = { temperature: 0, top_k: 5, provider_options: { fake: { a: 1 } } }
    const { options, warnings } = await asked('Hello', configOf(config, settings))
    expect(options).to.deep.include({
      temperature: 0,
      topP: 0.9,
      topK: 5,
      maxOutputTokens: 10,
      stopSequences: ['END'],
      seed: 4,
      reasoning: 'low',
      responseFormat: { type: 'json', schema: { type: 'object' }, name: 'answer' },
      providerOptions: { fake: { a: 1 } },
    })
    expect(warnings).to.deep.equal([])
  })

  it('have the number of tokens to choose from that a client of the Messages API sets', async () => {
    const config = { top_k: 7 } as ConfigLayer
    expect((await asked('Hello', configOf(config))).options).to.include({ topK: 7 })
    const { options } = await asked('Hello', configOf(config, { top_k: 5 }))
    expect(options).to.include({ topK: 5 })
  })

  it('warn of keys that the AI SDK does not have', async () => {
    models.told = { version: 'v3' }
    const config = configOf({ reasoning_effort: 'low', parallel_tool_calls: false })
    const { options, warnings } = await asked('Hello', config)
    expect(options).not.to.have.any.keys('reasoning', 'parallelToolCalls')
    expect(warnings).to.have.length(2)
    expect(warnings.join()).to.include('parallel_tool_calls').and.to.include('reasoning effort')
  })

  it('offer the tools, and the choice among them', async () => {
    const tool = { name: 'add', description: 'Adds', input_schema: { type: 'object' } }
    const config = configOf({ tool_choice: { tool: 'add' } })
    await host.stream(config, 'Hello', { tools: [tool] }).result
    const [options] = models.asked
    expect(options?.['tools']).to.deep.equal([
      { type: 'function', name: 'add', description: 'Adds', inputSchema: { type: 'object' } },
    ])
    expect(options?.['toolChoice']).to.deep.equal({ type: 'tool', toolName: 'add' })
  })

  it('leave out what another provider thought, and say what it ran as text', async () => {
    const metadata = { providerMetadata: { openai: { signature: 'secret' } } }
    const { options } = await asked([
      user('Search'),
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'I think.', ...metadata },
          { ...CALL, name: 'search', providerExecuted: true, ...metadata },
          { ...RESULT, name: 'search', providerExecuted: true, ...metadata },
        ],
      },
      user('Well?'),
    ])
    const sent = JSON.stringify(options['prompt'])
    expect(sent).to.include('[search answered 2]')
    expect(sent).not.to.include('I think.').and.not.to.include('secret')
  })
})
