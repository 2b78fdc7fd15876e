import { expect } from 'chai'
import { createAnthropic } from '../../../providers/anthropic/index.ts'
import { type ConfigLayer, createHost, type Part } from '../../../src/core/index.ts'
import type { Settings } from '../openai/asking.ts'
import { anthropicHost, asked, configFor, hello, NOWHERE, text, tool, user } from './asking.ts'

const png = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const
const pdf = { type: 'file', mediaType: 'application/pdf', data: 'BBBB', name: 'a.pdf' } as const
const note = { type: 'file', mediaType: 'text/csv', data: btoa('a,b'), name: 'a.csv' } as const
const own = (facts: object) => ({ providerMetadata: { anthropic: facts } })

/** Content of a user's message, and the blocks that it is sent as. */
const CONTENT: readonly [title: string, part: Part, block: object | undefined][] = [
  ['a text', text('Look'), { type: 'text', text: 'Look' }],
  [
    'an image',
    png,
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ],
  [
    'an image at an address',
    { type: 'file', mediaType: 'image/png', url: 'https://a.test/b.png' },
    { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
  ],
  [
    'a document',
    pdf,
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
      title: 'a.pdf',
    },
  ],
  [
    'a document at an address',
    { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/b.pdf' },
    { type: 'document', source: { type: 'url', url: 'https://a.test/b.pdf' } },
  ],
  [
    'a text in a file, as plain text',
    note,
    {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
      title: 'a.csv',
    },
  ],
  [
    'a file that was uploaded before',
    { ...png, ...own({ file_id: 'file_1' }) },
    { type: 'image', source: { type: 'file', file_id: 'file_1' } },
  ],
  [
    'a text that was uploaded before, although it has an address',
    {
      type: 'file',
      mediaType: 'text/plain',
      url: 'https://a.test/n.txt',
      ...own({ file_id: 'file_2' }),
    },
    { type: 'document', source: { type: 'file', file_id: 'file_2' } },
  ],
  [
    'what the caller says of a document',
    { ...pdf, ...own({ title: 'Deed', context: 'Of 1890', citations: { enabled: true } }) },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
      title: 'Deed',
      context: 'Of 1890',
      citations: { enabled: true },
    },
  ],
  [
    'the end of the cache',
    { ...text('Long'), ...own({ cache_control: { type: 'ephemeral', ttl: '1h' } }) },
    { type: 'text', text: 'Long', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  [
    'a block that has no part of its own',
    { type: 'data', name: 'anthropic-block', data: { type: 'container_upload', file_id: 'f' } },
    { type: 'container_upload', file_id: 'f' },
  ],
  ['nothing of white space alone', text(' \n'), undefined],
  ['nothing of what others made', { type: 'data', name: 'chart', data: { a: 1 } }, undefined],
]

const schema = {
  type: 'object',
  properties: { city: { type: 'string', minLength: 2 } },
  required: ['city'],
}
const weather = { name: 'weather', description: 'The weather', input_schema: schema }
const WEATHER = { name: 'weather', description: 'The weather', input_schema: schema }
/** The schema with the keywords alone that the API can hold a model to. */
const HELD = {
  type: 'object',
  properties: { city: { type: 'string', description: '{minLength: 2}' } },
  additionalProperties: false,
  required: ['city'],
}
const format: ConfigLayer = { response_format: { type: 'json-schema', name: 'w', schema } }

interface Case {
  readonly title: string
  readonly settings?: Settings
  readonly more?: ConfigLayer
  readonly tools?: true
  readonly expected: object
  readonly warning?: RegExp
}

/** Settings and neutral keys, and what of the body they make. */
const BODIES: readonly Case[] = [
  {
    title: 'the neutral keys',
    more: { temperature: 0.5, max_output_tokens: 99, stop: ['END'] },
    expected: { temperature: 0.5, max_tokens: 99, stop_sequences: ['END'] },
  },
  { title: 'all that the model can write, by default', expected: { max_tokens: 64_000 } },
  {
    title: 'no more than the model can write',
    more: { max_output_tokens: 100_000 },
    expected: { max_tokens: 64_000 },
    warning: /at most 64000/,
  },
  {
    title: 'the settings over the neutral keys',
    settings: { temperature: 0.1, max_output_tokens: 5 },
    more: { temperature: 0.9, max_output_tokens: 9 },
    expected: { temperature: 0.1, max_tokens: 5 },
  },
  {
    title: 'top_p and top_k',
    settings: { top_k: 40 },
    more: { top_p: 0.9 },
    expected: { top_p: 0.9, top_k: 40 },
  },
  {
    title: 'a temperature, and not top_p beside it',
    more: { temperature: 0.2, top_p: 0.9 },
    expected: { temperature: 0.2, top_p: undefined },
    warning: /top_p is left out/,
  },
  {
    title: 'no temperature above 1',
    more: { temperature: 1.5 },
    expected: { temperature: 1 },
    warning: /it is reduced to 1/,
  },
  {
    title: 'no temperature to a model that takes none',
    settings: { top_k: 4 },
    more: { model: 'claude-opus-5-5', temperature: 0.2, top_p: 0.3 },
    expected: { temperature: undefined, top_p: undefined, top_k: undefined },
    warning: /takes none: temperature, top_p, top_k/,
  },
  {
    title: 'no temperature to a model that thinks now',
    more: { temperature: 0.2, reasoning_effort: 'low' },
    expected: { temperature: undefined },
    warning: /while it thinks/,
  },
  { title: 'no seed', more: { seed: 7 }, expected: { seed: undefined }, warning: /no seed/ },
  {
    title: 'no penalties, biases and metadata',
    more: { presence_penalty: 1, frequency_penalty: 0, logit_bias: { 5: 1 }, metadata: { a: 'b' } },
    expected: { presence_penalty: undefined, logit_bias: undefined, metadata: undefined },
    warning:
      /^anthropic: The messages API takes no presence_penalty, logit_bias, metadata: left out\.$/,
  },
  {
    title: 'no penalty of 0, which is the default, without a warning',
    more: { presence_penalty: 0, frequency_penalty: 0, logit_bias: {} },
    expected: { presence_penalty: undefined, frequency_penalty: undefined },
  },
  {
    title: 'no stop sequence of white space alone',
    more: { stop: ['END', '\n'] },
    expected: { stop_sequences: ['END'] },
    warning: /white space/,
  },
  {
    title: 'an answer held to a schema',
    more: format,
    expected: { output_config: { format: { type: 'json_schema', schema: HELD } } },
  },
  {
    title: 'no schema to a model that cannot be held to one',
    more: { ...format, model: 'claude-sonnet-4-20250514' },
    expected: { output_config: undefined },
    warning: /cannot enforce a schema/,
  },
  {
    title: 'no JSON at large',
    more: { response_format: { type: 'json' } },
    expected: { output_config: undefined },
    warning: /enforces JSON only with a schema/,
  },
  {
    title: 'automatic caching',
    settings: { prompt_cache: true },
    expected: { cache_control: { type: 'ephemeral' } },
  },
  {
    title: 'automatic caching for an hour',
    settings: { prompt_cache: '1h' },
    expected: { cache_control: { type: 'ephemeral', ttl: '1h' } },
  },
  {
    title: 'no caching where it is off',
    settings: { prompt_cache: false },
    expected: { cache_control: undefined },
  },
  {
    title: 'context management, a container and a service tier as they are',
    settings: {
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] },
      service_tier: 'standard_only',
    },
    expected: {
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] },
      service_tier: 'standard_only',
    },
  },
  {
    title: 'fields of the body over everything',
    settings: { body: { max_tokens: 1, metadata: { user_id: 'u' } } },
    expected: { max_tokens: 1, metadata: { user_id: 'u' } },
  },
  {
    title: 'tools as they are',
    tools: true,
    expected: { tools: [WEATHER], tool_choice: undefined },
  },
  {
    title: 'tools that calls are held to',
    tools: true,
    settings: { strict_tools: true },
    expected: { tools: [{ ...WEATHER, input_schema: HELD, strict: true }] },
  },
  {
    title: 'tools without being held to them, by a model that cannot be',
    tools: true,
    settings: { strict_tools: true },
    more: { model: 'claude-3-haiku-20240307' },
    expected: { tools: [WEATHER] },
    warning: /cannot enforce the schema of the tool "weather"/,
  },
  {
    title: 'no choice among no tools',
    more: { tool_choice: 'none' },
    expected: { tools: undefined, tool_choice: undefined },
  },
]

/** Choices of a tool, with calls one at a time, by a model that can be forced and by one that cannot. */
const CHOICES: readonly [choice: ConfigLayer['tool_choice'], free: object, unforced: object][] = [
  ['auto', { type: 'auto' }, { type: 'auto' }],
  ['required', { type: 'any' }, { type: 'auto' }],
  [{ tool: 'weather' }, { type: 'tool', name: 'weather' }, { type: 'auto' }],
]

const HOSTED = ['web_search', 'web_fetch', 'code_execution', 'tool_search', 'memory'] as const
const typesIn = (tools: unknown) => (tools as { type?: string }[]).map(({ type }) => type)

describe('requests of the Anthropic provider', () => {
  it('are refused before they are sent where nothing of the messages is left to send', async () => {
    const before = [user(text('Hi')), { role: 'assistant' as const, parts: [text('Hello.')] }]
    const system = { role: 'system' as const, parts: [text('Write a haiku')] }
    const blank = ['', ' ', '\n'].map((one) => [...before, user(text(one))])
    for (const messages of [
      [user(text(' \n'))],
      [user(text('')), user(text(''))],
      [system],
      ...blank,
    ]) {
      const error: unknown = await asked(messages).catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'MESSAGES_INVALID', pointer: '/messages', retryable: false })
      expect((error as Error).message).to.include('add a user message with text')
    }
    const continued = await asked(before)
    expect(continued.body['messages']).to.have.length(2)
    const messages = [{ role: 'user', content: 'Hi' }]
    const { body } = await asked([user(text(''))], { settings: { body: { messages } } })
    expect(body['messages']).to.deep.equal(messages)
  })

  for (const [title, part, block] of CONTENT) {
    it(`carry ${title}`, async () => {
      const { body } = await asked([user(text('First'), part)])
      const [, ...rest] = (body['messages'] as [{ content: object[] }])[0].content
      expect(rest).to.deep.equal(block ? [block] : [])
    })
  }

  it('are refused where a text has only an address, and named in earlier turns', async () => {
    const far = { type: 'file', mediaType: 'text/plain', url: 'https://a.test/b.txt' } as const
    const given = user(text('Look'), far)
    const error: unknown = await asked([given]).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/1' })
    const later = [given, { role: 'assistant' as const, parts: [text('Yes.')] }, user(text('And?'))]
    const { body, warnings } = await asked(later)
    expect(JSON.stringify(body)).to.include('[file text/plain]').and.not.to.include('b.txt')
    expect(warnings).to.deep.equal([])
  })

  it('are refused where an image is larger than the API takes, though a document may be', async () => {
    const data = 'A'.repeat((8 * 1024 * 1024 * 4) / 3)
    const error: unknown = await asked([user({ ...png, data })]).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/messages/0/parts/0' })
    expect((error as Error).message).to.include('at most 7.5 MB')
    const { body } = await asked([user({ ...pdf, data })])
    expect(JSON.stringify(body)).to.include('application/pdf')
  })

  it('have citations for every document, but not where a schema holds the answer', async () => {
    const settings = { citations: true }
    const cited = await asked([user(pdf, note)], { settings })
    const documents = JSON.stringify(cited.body['messages']).match(/"citations":{"enabled":true}/g)
    expect(documents).to.have.length(2)
    const held = await asked([user(pdf)], { settings, more: format })
    expect(JSON.stringify(held.body)).not.to.include('citations')
    expect(held.warnings.join()).to.include('citations are left out')
  })

  it('say instructions apart from the messages', async () => {
    const { body } = await asked([{ role: 'system', parts: [text('Be kind.')] }, hello])
    expect(body['system']).to.deep.equal([{ type: 'text', text: 'Be kind.' }])
    expect(body['messages']).to.deep.equal([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ])
  })

  for (const { title, settings = {}, more = {}, tools, expected, warning } of BODIES) {
    it(`have ${title}`, async () => {
      const { body, warnings } = await asked('Hello', {
        settings,
        more,
        tools: tools ? [weather] : [],
      })
      for (const [field, value] of Object.entries(expected)) {
        expect(body[field], field).to.deep.equal(value)
      }
      if (warning) expect(warnings.join()).to.match(warning)
      else expect(warnings).to.deep.equal([])
    })
  }

  it('are refused where a schema has a place without a type', async () => {
    const more = {
      response_format: { type: 'json-schema', schema: { title: 'anything' } },
    } as const
    const error: unknown = await asked('Hello', { more }).catch((reason: unknown) => reason)
    expect(error).to.include({ code: 'INVALID_REQUEST', pointer: '/response_format/schema' })
  })

  for (const [tool_choice, free, unforced] of CHOICES) {
    it(`choose a tool: ${JSON.stringify(tool_choice)}`, async () => {
      const more = { tool_choice, parallel_tool_calls: false } as ConfigLayer
      const alone = { disable_parallel_tool_use: true }
      const { body } = await asked('Hello', { more, tools: [weather] })
      expect(body['tool_choice']).to.deep.equal({ ...free, ...alone })
      const newest = { ...more, model: 'claude-opus-5-5' }
      const other = await asked('Hello', { more: newest, tools: [weather] })
      expect(other.body['tool_choice']).to.deep.equal({ ...unforced, ...alone })
      expect(other.warnings).to.have.length(tool_choice === 'auto' ? 0 : 1)
    })
  }

  it('choose no tool, and still offer them, as what was found before must be there', async () => {
    const { body } = await asked('Hello', { more: { tool_choice: 'none' }, tools: [weather] })
    expect(body).to.deep.include({ tools: [WEATHER], tool_choice: { type: 'none' } })
  })

  it('ask for one call at a time without any other choice', async () => {
    const { body } = await asked('Hello', {
      more: { parallel_tool_calls: false },
      tools: [weather],
    })
    expect(body['tool_choice']).to.deep.equal({ type: 'auto', disable_parallel_tool_use: true })
  })

  it('offer the tools of the API in the latest version that the model takes', async () => {
    const typesFor = async (more: ConfigLayer) =>
      typesIn((await asked('Hello', { settings: { hosted_tools: HOSTED }, more })).body['tools'])
    const search = ['tool_search_tool_regex_20251119', 'memory_20250818']
    const basic = ['web_search_20250305', 'web_fetch_20250910', 'code_execution_20250825']
    const latest = ['web_search_20260318', 'web_fetch_20260318', 'code_execution_20260521']
    expect(await typesFor({})).to.deep.equal([...basic, ...search])
    expect(await typesFor({ model: 'claude-haiku-5-5' })).to.deep.equal([...basic, ...search])
    expect(await typesFor({ model: 'claude-sonnet-5-5' })).to.deep.equal([...latest, ...search])
    const alone = { model: 'claude-sonnet-5-5', parallel_tool_calls: false }
    expect(await typesFor(alone)).to.deep.equal([...basic, ...search])
  })

  it('offer a tool of the API as it is, in place of the host’s of the same name', async () => {
    const hosted = { type: 'web_search_20250305', name: 'weather', max_uses: 2 }
    const settings = { hosted_tools: [hosted, 'bash_20250124'] }
    const { body } = await asked('Hello', { settings, tools: [weather] })
    expect(body['tools']).to.deep.equal([hosted, { type: 'bash_20250124' }])
  })

  it('name the tools of MCP servers, each once', async () => {
    const settings = {
      mcp_servers: [
        { name: 'one', url: 'https://one.test' },
        { name: 'two', url: 'https://two.test' },
      ],
      hosted_tools: [{ type: 'mcp_toolset', mcp_server_name: 'two', default_config: {} }],
    }
    const { body } = await asked('Hello', { settings })
    expect(body).to.deep.include({
      mcp_servers: settings.mcp_servers.map((server) => ({ type: 'url', ...server })),
      tools: [...settings.hosted_tools, { type: 'mcp_toolset', mcp_server_name: 'one' }],
    })
  })

  it('go on in the container of an earlier answer, while it lives', async () => {
    const answered = (expires_at: string) =>
      ({
        role: 'assistant',
        parts: [text('Done.')],
        metadata: { anthropic: { container: { id: 'container_1', expires_at } } },
      }) as const
    const containerOf = async (expires_at: string, settings: Settings = {}) =>
      (await asked([hello, answered(expires_at), hello], { settings })).body['container']
    expect(await containerOf('2999-01-01T00:00:00Z')).to.equal('container_1')
    expect(await containerOf('2020-01-01T00:00:00Z')).to.equal(undefined)
    expect(await containerOf('2999-01-01T00:00:00Z', { container: 'mine' })).to.equal('mine')
  })

  it('carry results of parts and of files, errors, and what is meant for this provider alone', async () => {
    const results: readonly [output: unknown, content: unknown][] = [
      ['blue', 'blue'],
      [{ sky: 'blue' }, '{"sky":"blue"}'],
      [
        [text('Here'), png],
        [
          { type: 'text', text: 'Here' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      ],
      [
        { native: { anthropic: [{ type: 'tool_reference', tool_name: 'f' }] }, output: 'f' },
        [{ type: 'tool_reference', tool_name: 'f' }],
      ],
      [{ native: { acme: 'x' }, output: 'plain' }, 'plain'],
    ]
    for (const [output, content] of results) {
      const call = { callId: 'c1', name: 'weather' }
      const { body } = await asked([
        hello,
        { role: 'assistant', parts: [{ type: 'tool-call', ...call, input: { city: 'Ulm' } }] },
        tool({ type: 'tool-result', ...call, output, isError: true }),
      ])
      expect((body['messages'] as object[]).slice(1)).to.deep.equal([
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'weather', input: { city: 'Ulm' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content, is_error: true }],
        },
      ])
    }
  })

  it('have no secret in the state, the warnings or the errors', async () => {
    const token = 'mcp-secret-0123456789'
    const server = { name: 'one', url: 'https://one.test', authorization_token: token }
    const config = configFor(NOWHERE, { mcp_servers: [server] }, { seed: 1 })
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ error: { type: 'invalid_request_error', message: token } }, { status: 400 })
    await using host = await createHost({ plugins: [createAnthropic({ fetch })] })
    const { native, state } = await host.dryRun(config, 'Hello')
    expect(JSON.stringify(state)).not.to.include(token).and.not.include('sk-ant')
    expect(JSON.stringify(native)).to.include(token).and.not.include('sk-ant')
    const { error, warnings } = await host.stream(config, 'Hello').result
    expect(error?.message).to.match(/400/).and.not.include(token)
    expect(warnings.join()).to.include('seed').and.not.include(token)
  })

  it('say which capabilities the model has', async () => {
    await using host = await anthropicHost()
    const tags = async (model: string, settings: Settings = {}) => [
      ...(await host.resolve(configFor(NOWHERE, settings, { model }))).tags,
    ]
    expect(await tags('claude-opus-5')).to.include.members([
      'vision',
      'files',
      'reasoning',
      'tools',
    ])
    expect(await tags('claude-opus-5')).to.include('structured-output')
    const old = await tags('claude-3-haiku-20240307')
    expect(old).not.to.include('reasoning').and.not.include('structured-output')
    expect(await tags('claude-opus-5', { hosted_tools: ['web_search'] })).to.include(
      'provider-tools',
    )
  })
})
