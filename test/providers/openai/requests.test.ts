import { expect } from 'chai'
import openai from '../../../providers/openai/index.ts'
import { streamText } from '../../../scripts/replay/envelope.ts'
import { type ConfigLayer, createHost, type Host, type Message } from '../../../src/core/index.ts'
import { configFor, hostAnswered, openaiHost, type Settings, streamed } from './asking.ts'
import { ownRecording } from './recordings.ts'

const NOWHERE = { url: 'https://nowhere.test/v1' }
const user = (...parts: Message['parts']): Message => ({ role: 'user', parts })
const assistant = (...parts: Message['parts']): Message => ({ role: 'assistant', parts })
const tool = (...parts: Message['parts']): Message => ({ role: 'tool', parts })
const hello = user({ type: 'text', text: 'Hello' })
const call = { type: 'tool-call', callId: 'c1', name: 'weather', input: { city: 'Ulm' } } as const
const result = (output: unknown) =>
  ({ type: 'tool-result', callId: 'c1', name: 'weather', output }) as const
const png = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
const pdf = { type: 'file', mediaType: 'application/pdf', data: 'BBBB', name: 'a.pdf' } as const

type Body = { readonly [field: string]: unknown }

describe('requests of the OpenAI provider', () => {
  let host: Host
  before(async () => {
    host = await openaiHost()
  })
  after(() => host.close())

  const bodyOf = async (
    api: 'chat' | 'responses',
    messages: readonly Message[],
    settings: Settings = {},
    more: ConfigLayer = {},
  ): Promise<Body> => {
    const { native } = await host.dryRun(configFor(NOWHERE, { api, ...settings }, more), messages)
    return native as Body
  }

  it('have no reasoning where neither an effort nor a summary is set', async () => {
    expect(await bodyOf('responses', [hello])).to.not.have.property('reasoning')
    const { reasoning } = await bodyOf('responses', [hello], { reasoning_summary: 'auto' })
    expect(reasoning).to.deep.equal({ summary: 'auto' })
  })

  describe('with penalties, a bias, the end user and metadata', () => {
    const given = {
      presence_penalty: 0.5,
      frequency_penalty: 1,
      logit_bias: { 3: -100 },
      user: 'u1',
      metadata: { team: 'blue' },
    }

    it('have them in the chat API, metadata only where the answer is stored', async () => {
      const body = await bodyOf('chat', [hello], {}, { ...given, model: 'gpt-4o' })
      const { metadata, ...rest } = given
      expect(body).to.deep.include(rest).and.not.to.have.property('metadata')
      const stored = await bodyOf('chat', [hello], { store: true }, { ...given, model: 'gpt-4o' })
      expect(stored).to.deep.include({ metadata })
    })

    it('have the settings of the provider rather than the config', async () => {
      const own = { presence_penalty: -1, user: 'own' }
      const body = await bodyOf('chat', [hello], own, { ...given, model: 'gpt-4o' })
      expect(body).to.include({ presence_penalty: -1, user: 'own', frequency_penalty: 1 })
    })

    it('have no bias for a model that reasons, nor in the responses API', async () => {
      const reasoning = await bodyOf('chat', [hello], {}, { ...given, model: 'gpt-5' })
      expect(reasoning).to.include({ user: 'u1' })
      const responses = await bodyOf('responses', [hello], {}, { ...given, model: 'gpt-4o' })
      expect(responses).to.deep.include({ user: 'u1', metadata: { team: 'blue' } })
      for (const body of [reasoning, responses]) {
        expect(body).not.to.have.any.keys('presence_penalty', 'frequency_penalty', 'logit_bias')
      }
    })
  })

  it('name an item of the responses API by the id that a run gave its call', async () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'weather' }
    const renamed = { ...call, callId: 'c1-2', providerMetadata: { openai: { item } } }
    const { input } = await bodyOf('responses', [
      hello,
      assistant(renamed),
      tool({ ...result('blue'), callId: 'c1-2' }),
    ])
    const ids = (input as readonly Body[]).slice(1).map(({ type, call_id }) => [type, call_id])
    expect(ids).to.deep.equal([
      ['function_call', 'c1-2'],
      ['function_call_output', 'c1-2'],
    ])
  })

  it('carry text, images and files to the responses API', async () => {
    const { input } = await bodyOf('responses', [
      { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] },
      user({ type: 'text', text: 'Look' }, png, pdf, {
        ...png,
        data: undefined,
        url: 'https://a.test/b.png',
      } as never),
      user({ type: 'file', mediaType: 'application/pdf', url: 'https://a.test/c.pdf' }),
    ])
    expect(input).to.deep.equal([
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
          { type: 'input_image', image_url: 'https://a.test/b.png', detail: 'auto' },
        ],
      },
      { role: 'user', content: [{ type: 'input_file', file_url: 'https://a.test/c.pdf' }] },
    ])
  })

  it('carry text, images, files and sound to the chat API', async () => {
    const wav = { type: 'file', mediaType: 'audio/wav', data: 'CC' } as const
    const look = user({ type: 'text', text: 'Look' }, png, pdf, wav)
    const { messages } = await bodyOf('chat', [look], {}, { model: 'gpt-audio' })
    expect(messages).to.deep.equal([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
          },
          { type: 'input_audio', input_audio: { data: 'CC', format: 'wav' } },
        ],
      },
    ])
  })

  it('carry calls and their results', async () => {
    const history = [
      hello,
      assistant({ type: 'text', text: 'Let me look.' }, call),
      tool(result({ sky: 'blue' })),
    ]
    expect((await bodyOf('responses', history))['input']).to.deep.equal([
      { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      { role: 'assistant', content: 'Let me look.' },
      { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{"city":"Ulm"}' },
      { type: 'function_call_output', call_id: 'c1', output: '{"sky":"blue"}' },
    ])
    expect((await bodyOf('chat', history))['messages']).to.deep.equal([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Let me look.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Ulm"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"sky":"blue"}' },
    ])
  })

  it('carry arguments that are no JSON as the text that they are', async () => {
    const history = [hello, assistant({ ...call, input: '{"city": ' }), tool(result('No JSON.'))]
    const { input } = await bodyOf('responses', history)
    expect((input as Body[])[1]).to.include({ arguments: '{"city": ' })
    const { messages } = await bodyOf('chat', history)
    const [, sent] = messages as { tool_calls: { function: Body }[] }[]
    expect(sent?.tool_calls[0]?.function).to.include({ arguments: '{"city": ' })
  })

  it('say of a call without a result that none was recorded', async () => {
    const { messages } = await bodyOf('chat', [hello, assistant(call), hello])
    expect((messages as Body[]).find(({ role }) => role === 'tool')).to.deep.equal({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'No result of this call was recorded.',
    })
  })

  it('carry a result of parts, and one that is meant for this provider alone', async () => {
    const parts = [hello, assistant(call), tool(result([{ type: 'text', text: 'Here' }, png]))]
    expect(((await bodyOf('responses', parts))['input'] as Body[]).at(-1)).to.deep.equal({
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'Here' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      ],
    })
    const own = [
      hello,
      assistant(call),
      tool(result({ native: { openai: 'raw' }, output: 'plain' })),
    ]
    expect(((await bodyOf('responses', own))['input'] as Body[]).at(-1)).to.include({
      output: 'raw',
    })
    expect(((await bodyOf('chat', own))['messages'] as Body[]).at(-1)).to.include({
      content: 'raw',
    })
    const ownObject = [
      hello,
      assistant(call),
      tool(result({ native: { openai: { raw: 1 } }, output: 'plain' })),
    ]
    expect(((await bodyOf('chat', ownObject))['messages'] as Body[]).at(-1)).to.include({
      content: '{"raw":1}',
    })
    const other = [
      hello,
      assistant(call),
      tool(result({ native: { acme: 'raw' }, output: 'plain' })),
    ]
    expect(((await bodyOf('chat', other))['messages'] as Body[]).at(-1)).to.include({
      content: 'plain',
    })
  })

  it('tell the files of earlier answers as text', async () => {
    const history = [
      hello,
      assistant({ ...pdf }),
      hello,
      assistant({ type: 'text', text: 'see' }, { ...png }),
      hello,
    ]
    const { input } = await bodyOf('responses', history)
    const said = (input as Body[]).filter(({ role }) => role === 'assistant')
    expect(said.map(({ content }) => content)).to.deep.equal([
      '[file a.pdf]',
      'see',
      '[file image/png]',
    ])
    const { messages } = await bodyOf('chat', history)
    const told = (messages as Body[]).filter(({ role }) => role === 'assistant')
    expect(told.map(({ content }) => content)).to.deep.equal([
      '[file a.pdf]',
      'see\n[file image/png]',
    ])
  })

  it('leave out the reasoning of others, and tell the calls that others ran as text', async () => {
    const foreign = assistant(
      { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 's' } } },
      { type: 'tool-call', callId: 'x', name: 'search', input: { q: 1 }, providerExecuted: true },
      { type: 'tool-result', callId: 'x', name: 'search', output: ['a'], providerExecuted: true },
      { type: 'source', url: 'https://a.test' },
      { type: 'text', text: 'Found.' },
    )
    expect(
      ((await bodyOf('responses', [hello, foreign, hello]))['input'] as Body[]).slice(1, -1),
    ).to.deep.equal([
      { role: 'assistant', content: '[search was called with {"q":1}]' },
      { role: 'assistant', content: '[search answered ["a"]]' },
      { role: 'assistant', content: 'Found.' },
    ])
    expect(
      ((await bodyOf('chat', [hello, foreign, hello]))['messages'] as Body[])[1],
    ).to.deep.equal({
      role: 'assistant',
      content: '[search was called with {"q":1}]\n[search answered ["a"]]\nFound.',
    })
  })

  const outputs: readonly [call: Body, output: unknown, expected: Body][] = [
    [
      { type: 'custom_tool_call', input: 'x' },
      'ok',
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
    ],
    [
      { type: 'local_shell_call' },
      'ok',
      { type: 'local_shell_call_output', id: 'c1', output: 'ok' },
    ],
    [
      { type: 'shell_call' },
      'ok',
      {
        type: 'shell_call_output',
        call_id: 'c1',
        output: [{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
    [
      { type: 'apply_patch_call' },
      'ok',
      { type: 'apply_patch_call_output', call_id: 'c1', status: 'completed', output: 'ok' },
    ],
    [
      { type: 'tool_search_call' },
      { tools: [{ name: 'f' }] },
      {
        type: 'tool_search_output',
        call_id: 'c1',
        execution: 'client',
        status: 'completed',
        tools: [{ name: 'f' }],
      },
    ],
    [
      { type: 'mcp_approval_request' },
      { approve: true },
      { type: 'mcp_approval_response', approval_request_id: 'c1', approve: true },
    ],
  ]
  for (const [item, output, expected] of outputs) {
    it(`answer a ${item['type']} in its own form`, async () => {
      const own = { ...call, providerMetadata: { openai: { item: { call_id: 'c1', ...item } } } }
      const { input } = await bodyOf('responses', [hello, assistant(own), tool(result(output))])
      expect((input as Body[]).at(-1)).to.deep.equal(expected)
    })
  }

  it('map the neutral keys to the responses API', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    const body = await bodyOf(
      'responses',
      [hello],
      { store: false, verbosity: 'low', body: { user: 'u' } },
      {
        model: 'gpt-5',
        max_output_tokens: 99,
        reasoning_effort: 'low',
        response_format: { type: 'json-schema', name: 'x', schema },
      },
    )
    expect(body).to.deep.include({
      model: 'gpt-5',
      max_output_tokens: 99,
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 'x', schema, strict: true }, verbosity: 'low' },
      include: ['reasoning.encrypted_content'],
      store: false,
      user: 'u',
    })
  })

  it('map the neutral keys to the chat API', async () => {
    const body = await bodyOf(
      'chat',
      [hello],
      {},
      {
        temperature: 0.5,
        top_p: 0.9,
        max_output_tokens: 99,
        stop: ['END'],
        seed: 7,
        response_format: { type: 'json' },
      },
    )
    expect(body).to.deep.include({
      temperature: 0.5,
      top_p: 0.9,
      max_completion_tokens: 99,
      stop: ['END'],
      seed: 7,
      response_format: { type: 'json_object' },
    })
  })

  it('let the settings win over the neutral keys', async () => {
    const body = await bodyOf('chat', [hello], { temperature: 0.1 }, { temperature: 0.9 })
    expect(body).to.include({ temperature: 0.1 })
  })

  it('offer tools, strictly where their schema allows it', async () => {
    const strict = { type: 'object', properties: {}, required: [], additionalProperties: false }
    const loose = { type: 'object', properties: { a: { type: 'string' } } }
    const held = {
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      additionalProperties: false,
    }
    const open = { type: 'object', additionalProperties: { type: 'string' } }
    const tools = [
      { name: 'one', description: 'First', input_schema: strict },
      { name: 'two', description: '', input_schema: loose },
      { name: 'three', description: 'Third', input_schema: open },
    ]
    const config = configFor(
      NOWHERE,
      { hosted_tools: ['web_search', 'code_interpreter'] },
      {
        tool_choice: { tool: 'one' },
        parallel_tool_calls: false,
      },
    )
    const plugin = { kind: 'tool', name: 'both', getToolSchemas: () => tools }
    const offering = await createHost({ plugins: [openai, plugin] })
    const { native } = await offering.dryRun(config, [hello])
    await offering.close()
    expect(native).to.deep.include({
      tools: [
        { type: 'function', name: 'one', description: 'First', parameters: strict, strict: true },
        { type: 'function', name: 'two', parameters: held, strict: true },
        { type: 'function', name: 'three', description: 'Third', parameters: open, strict: false },
        { type: 'web_search' },
        { type: 'code_interpreter', container: { type: 'auto' } },
      ],
      tool_choice: { type: 'function', name: 'one' },
      parallel_tool_calls: false,
      include: ['web_search_call.action.sources', 'code_interpreter_call.outputs'],
    })
  })

  it('warn of what the API has no way to honor', async () => {
    const { lines } = ownRecording('responses/everything.chunks.txt')
    const answering = await hostAnswered(() => streamText('responses', lines))
    const more = { model: 'gpt-5', seed: 1, temperature: 0.5, reasoning_effort: 100 }
    const { result } = await streamed(answering, configFor(NOWHERE, {}, more))
    const warnings = result.warnings.join('\n')
    for (const word of ['"seed"', 'temperature', 'reasoning_effort']) {
      expect(warnings).to.include(word)
    }
    await answering.close()
  })

  it('have no key, and neither has the state', async () => {
    const { native, state } = await host.dryRun(configFor(NOWHERE), [hello])
    expect(JSON.stringify({ native, state })).not.to.include('sk-test')
  })

  it('say which capabilities the model has', async () => {
    const tags = async (model: string, settings: Settings = {}) => [
      ...(await host.resolve(configFor(NOWHERE, settings, { model }))).tags,
    ]
    expect(await tags('gpt-5')).to.include.members([
      'text',
      'tools',
      'streaming',
      'vision',
      'reasoning',
    ])
    expect(await tags('gpt-4.1')).to.not.include('reasoning')
    expect(await tags('gpt-5-chat-latest')).to.not.include('reasoning')
    expect(await tags('gpt-5', { hosted_tools: ['web_search'] })).to.include('provider-tools')
    const context_management = [{ type: 'compaction', compact_threshold: 1000 }]
    expect(await tags('gpt-5', { context_management })).to.include('own-compaction')
    expect(await tags('gpt-5', { api: 'chat', context_management })).to.not.include(
      'own-compaction',
    )
    expect(await tags('gpt-5', { context_management: [{ type: 'other' }] })).to.not.include(
      'own-compaction',
    )
    expect(await tags('gpt-5', { api: 'chat' }))
      .to.include('chat-completions')
      .and.not.include('responses')
  })
})
