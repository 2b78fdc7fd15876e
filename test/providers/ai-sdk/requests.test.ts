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
    models.told = { version }
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
