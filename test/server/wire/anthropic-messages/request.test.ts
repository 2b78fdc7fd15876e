import { expect } from 'chai'
import fc from 'fast-check'
import { toMessages } from '../../../../src/plugin/events/index.ts'
import { decodeAnthropicMessages } from '../../../../src/server/wire/anthropic-messages/index.ts'
import { decodesAnything, refusalOf } from '../protocol-suites.ts'

const USER = { role: 'user', content: 'Hello' }

function decode(more: object = {}) {
  return decodeAnthropicMessages({ model: 'm', max_tokens: 10, messages: [USER], ...more })
}

const CALL = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } }],
}
const result = (more: object) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'c1', ...more }],
})

describe('the decoder of Anthropic messages', () => {
  it('keeps a history, results before what else their turn says', () => {
    const mixed = { role: 'user', content: [...result({ content: 'there' }).content] }
    const { messages } = decode({
      system: 'Be short.',
      messages: [
        USER,
        CALL,
        { ...mixed, content: [{ type: 'text', text: 'So?' }, ...mixed.content] },
        { role: 'user', content: 'And?' },
      ],
    })
    expect(messages.map(({ role }) => role)).to.deep.equal([
      'system',
      'user',
      'assistant',
      'tool',
      'user',
      'user',
    ])
    expect(messages[3]?.parts).to.deep.equal([
      { type: 'tool-result', callId: 'c1', name: 'look', output: 'there' },
    ])
    expect(toMessages(messages)).to.equal(messages)
  })

  it('keeps what a result shows beside text', () => {
    const image = { type: 'base64', media_type: 'image/png', data: 'aGk=' }
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', source: image },
    ]
    const [, , answered] = decode({ messages: [USER, CALL, result({ content })] }).messages
    expect(answered?.parts[0]).to.deep.include({
      output: [
        { type: 'text', text: 'a' },
        { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      ],
    })
    const [, , empty] = decode({ messages: [USER, CALL, result({})] }).messages
    expect(empty?.parts[0]).to.include({ output: '' })
  })

  it('reads a reference to a tool as a text, as Claude Code sends it behind a search for tools', () => {
    const content = ['look', 'see'].map((tool_name) => ({ type: 'tool_reference', tool_name }))
    const [, , answered] = decode({ messages: [USER, CALL, result({ content })] }).messages
    expect(answered?.parts[0]).to.deep.include({
      output: 'Tool "look" is loaded.\nTool "see" is loaded.\n',
    })
  })

  it('reads a summary that the API wrote in an earlier answer as a text', () => {
    const content = [{ type: 'compaction', content: 'They met.' }]
    const [, said] = decode({ messages: [USER, { role: 'assistant', content }, USER] }).messages
    expect(said?.parts).to.deep.equal([{ type: 'text', text: 'They met.' }])
  })

  it('keeps the end user, unless it is no text', () => {
    expect(decode({ metadata: { user_id: 'u' } }).settings).to.deep.include({ user: 'u' })
    expect(decode({ metadata: { user_id: 5 } }).settings).not.to.have.property('user')
    expect(decode({ metadata: { other: 'x' } }).ignored).to.include('metadata.other')
  })

  it('keeps the number of tokens to choose from', () => {
    expect(decode({ top_k: 5 }).settings).to.deep.include({ top_k: 5 })
    // Some clients send -1 where nobody chose a number.
    expect(decode({ top_k: -1 }).settings).not.to.have.property('top_k')
  })

  it('gives thinking back to whoever signed it, and to nobody what is unsigned', () => {
    const thinking = (block: object) => ({
      messages: [USER, { role: 'assistant', content: [block] }],
    })
    const partOf = (block: object) => decode(thinking(block)).messages[1]?.parts[0]
    const signed = { type: 'thinking', thinking: 'hm', signature: 's' }
    expect(partOf(signed)).to.deep.equal({
      type: 'reasoning',
      text: 'hm',
      providerMetadata: { anthropic: { block: { type: 'thinking', signature: 's' } } },
    })
    for (const signature of ['', 'braidwork']) {
      expect(partOf({ ...signed, signature })).to.deep.equal({ type: 'reasoning', text: 'hm' })
    }
    expect(partOf({ type: 'redacted_thinking', data: 'd' })).to.deep.include({
      providerMetadata: { anthropic: { block: { type: 'redacted_thinking', data: 'd' } } },
    })
  })

  it('keeps what the API itself ran in an earlier answer', () => {
    const found = [{ type: 'web_search_result', url: 'https://a.test/', title: 'A' }]
    const content = [
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's1', content: found },
    ]
    const [, said] = decode({ messages: [USER, { role: 'assistant', content }] }).messages
    expect(
      said?.parts.map((part) => 'providerExecuted' in part && part.providerExecuted),
    ).to.deep.equal([true, true])
    expect(said?.parts[1]).to.deep.include({ name: 'web_search', output: found })
  })

  it('maps thinking to an effort, or to a number of tokens', () => {
    const effortOf = (more: object) => decode(more).settings.reasoning_effort
    expect(effortOf({ thinking: { type: 'enabled', budget_tokens: 2000 } })).to.equal(2000)
    expect(effortOf({ thinking: { type: 'disabled' } })).to.equal('none')
    expect(effortOf({ thinking: { type: 'adaptive' } })).to.equal('high')
    expect(effortOf({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } })).to.equal(
      'low',
    )
    expect(effortOf({ output_config: { effort: 'max' } })).to.equal('max')
  })

  it('shows thinking to a client that enables it, without its texts where it says so', () => {
    const shownFor = (thinking?: object) => decode({ thinking }).thinking
    expect(shownFor()).to.equal('none')
    expect(shownFor({ type: 'disabled' })).to.equal('none')
    expect(decode({ output_config: { effort: 'max' } }).thinking).to.equal('none')
    expect(shownFor({ type: 'adaptive' })).to.equal('whole')
    expect(shownFor({ type: 'enabled', budget_tokens: 2000 })).to.equal('whole')
    expect(shownFor({ type: 'adaptive', display: 'summarized' })).to.equal('whole')
    expect(shownFor({ type: 'adaptive', display: 'omitted' })).to.equal('omitted')
    const updates = decode({ thinking: { type: 'adaptive', display: 'updates' } })
    expect(updates).to.deep.include({ thinking: 'whole', ignored: ['thinking.display'] })
  })

  it('passes over thinking that comes back without a text and a signature of its provider', () => {
    const content = [
      { type: 'thinking', thinking: '', signature: 'braidwork' },
      { type: 'text', text: 'y' },
    ]
    const [, said] = decode({ messages: [USER, { role: 'assistant', content }] }).messages
    expect(said?.parts).to.deep.equal([{ type: 'text', text: 'y' }])
  })

  it('lets an empty list of servers in', () => {
    expect(decode({ mcp_servers: [] }).ignored).to.deep.equal([])
  })

  it('names what it lets in and does not honor, but for what changes nothing', () => {
    const { ignored } = decode({
      service_tier: 'auto',
      speed: 'fast',
      container: 'c',
      tools: [{ type: 'web_search_20250305', name: 'web_search' }, { type: 'a\nb_20260101' }],
      'not a\nheader': 1,
    })
    expect(ignored).to.deep.equal([
      'speed',
      'container',
      'tools.web_search_20250305',
      'tools.unknown',
    ])
  })

  it('names what it does not honor inside of messages and tools, each name once', () => {
    const cache_control = { type: 'ephemeral' }
    const source = { type: 'text', media_type: 'text/plain', data: 'hello' }
    const used = { type: 'tool_use', id: 'c', name: 'f', input: {}, caller: { type: 'direct' } }
    const { ignored } = decode({
      system: [{ type: 'text', text: 'Be short.', cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source, title: 'T', context: 'C', citations: { enabled: true } },
            { type: 'text', text: 'x', cache_control },
          ],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'y', citations: [] }, used] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', cache_control }] },
      ],
      tools: [
        { name: 'f', input_schema: {}, input_examples: [], strict: true, defer_loading: true },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      ],
      thinking: { type: 'enabled', budget_tokens: 2000, display: 'summarized' },
    })
    expect(ignored).to.have.members([
      'messages[].content[].context',
      'messages[].content[].citations',
      'tools[].input_examples',
      'tools[].strict',
      'tools[].defer_loading',
      'tools.web_search_20250305',
    ])
  })

  it('lists the tools that the API itself runs, also those of later versions', () => {
    const types = [
      'web_fetch_20250910',
      'code_execution_20250825',
      'tool_search_tool_regex',
      'advisor_20260301',
    ]
    const { ignored, tools } = decode({ tools: types.map((type) => ({ type, name: 'n' })) })
    expect(ignored).to.deep.equal(types.map((type) => `tools.${type}`))
    expect(tools).to.deep.equal([])
  })

  const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })
  const image = (source: object) => block({ type: 'image', source })
  const AT = '/messages/0/content/0'
  const REFUSED: readonly (readonly [
    what: string,
    body: object,
    pointer: string,
    message: string,
  ])[] = [
    ['no model', { model: undefined }, '/model', '"model" is missing; give a string.'],
    [
      'no message',
      { messages: [] },
      '/messages',
      '"messages" is empty; give at least one message.',
    ],
    [
      'no messages but an input',
      { messages: undefined, input: 'Hello' },
      '/messages',
      '"messages" is missing; give at least one message in place of "input", the field of /v1/responses.',
    ],
    [
      'a content that is none',
      { messages: [{ role: 'user', content: 7 }] },
      '/messages/0/content',
      '"content" must be a string or a list, not 7.',
    ],
    [
      'a system prompt that is none',
      { system: { text: 'x' } },
      '/system',
      '"system" must be a string or a list, not {"text":"x"}.',
    ],
    [
      'a role of its own',
      { messages: [{ role: 'root', content: '' }] },
      '/messages/0/role',
      '"role" must be one of user, assistant, system, not "root".',
    ],
    [
      'a message without content',
      { messages: [{ role: 'user' }] },
      '/messages/0/content',
      '"content" is missing; give a string or a list of blocks.',
    ],
    [
      'a block of its own',
      block({ type: 'video' }),
      `${AT}/type`,
      '"type" must be one of text, image, document, search_result, tool_result.',
    ],
    [
      'a prototype as a block',
      block({ type: 'constructor' }),
      `${AT}/type`,
      '"type" must be one of text, image, document, search_result, tool_result.',
    ],
    [
      'a result of no call',
      { messages: [result({})] },
      `${AT}/tool_use_id`,
      '"tool_use_id" must be the id of an earlier call that has no result yet.',
    ],
    [
      'a second result',
      { messages: [CALL, result({}), result({})] },
      '/messages/2/content/0/tool_use_id',
      '"tool_use_id" must be the id of an earlier call that has no result yet.',
    ],
    [
      'a call without an id',
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', name: 'a' }] }] },
      `${AT}/id`,
      '"id" is missing; give a string.',
    ],
    [
      'a thread',
      { thread: { type: 'create' } },
      '/thread',
      '"thread" is not supported by this server; send the whole history.',
    ],
    [
      'a temperature out of range',
      { temperature: -1 },
      '/temperature',
      '"temperature" must be a number from 0 to 2, not -1.',
    ],
    [
      'a length that is none',
      { max_tokens: 0 },
      '/max_tokens',
      '"max_tokens" must be a whole number of at least 1, not 0.',
    ],
    [
      'a tool that the client would run',
      { tools: [{ type: 'bash_20250124' }] },
      '/tools/0/type',
      '"type" is "bash_20250124", a tool that this server does not have; define it with an "input_schema".',
    ],
    [
      'a server of tools',
      { tools: [{ type: 'mcp_toolset' }] },
      '/tools/0/type',
      '"type" is mcp_toolset, and this server connects to no MCP server that a request names; leave it out, and have the operator set up the plugin "mcp".',
    ],
    [
      'servers without their tools',
      { mcp_servers: [{ type: 'url', url: 'https://a.test', name: 'a' }] },
      '/mcp_servers',
      '"mcp_servers" has a server, and this server connects to no MCP server that a request names; leave it out, and have the operator set up the plugin "mcp".',
    ],
    [
      'thinking of a kind of its own',
      { thinking: { type: 'enable', budget_tokens: 1024 } },
      '/thinking/type',
      '"type" must be one of adaptive, enabled, disabled, not "enable".',
    ],
    [
      'thinking of no kind',
      { thinking: {} },
      '/thinking/type',
      '"type" is missing; give adaptive, enabled or disabled.',
    ],
    [
      'thinking without a budget',
      { thinking: { type: 'enabled' } },
      '/thinking/budget_tokens',
      '"budget_tokens" is missing; give a number of tokens, or {"type": "adaptive"} as "thinking".',
    ],
    [
      'a choice of a tool that the API would run',
      {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
      '/tool_choice/name',
      '"name" is "web_search", a tool that this server does not have.',
    ],
    [
      'a choice that is none',
      { tool_choice: { type: 'some' } },
      '/tool_choice/type',
      '"type" must be one of auto, any, tool, none, not "some".',
    ],
    [
      'a format without a schema',
      { output_config: { format: { type: 'json_schema' } } },
      '/output_config/format/schema',
      '"schema" is missing; give a JSON Schema.',
    ],
    [
      'a tool without a name',
      { tools: [{ input_schema: {} }] },
      '/tools/0/name',
      '"name" is missing; give a string.',
    ],
    [
      'a schema that is none',
      { tools: [{ name: 'a', input_schema: [] }] },
      '/tools/0/input_schema',
      '"input_schema" must be an object, not [].',
    ],
    [
      'a tool without a schema',
      { tools: [{ name: 'a' }] },
      '/tools/0/input_schema',
      '"input_schema" is missing; give the JSON Schema of the arguments.',
    ],
    ...['parameters', 'inputSchema'].map(
      (name) =>
        [
          `a tool with its schema in ${name}`,
          { tools: [{ name: 'a', [name]: { type: 'object' } }] },
          '/tools/0/input_schema',
          `"input_schema" is missing; give the JSON Schema of the arguments here, and not as "${name}".`,
        ] as const,
    ),
    [
      'a tool in the form of Chat Completions',
      { tools: [{ type: 'function', function: { name: 'a', parameters: {} } }] },
      '/tools/0/type',
      '"type" is function, the form of /v1/chat/completions; leave it out, and give "name", "description" and "input_schema" on the tool itself.',
    ],
    [
      'a misspelled type of a tool',
      { tools: [{ type: 'fnuction', name: 'a', input_schema: {} }] },
      '/tools/0/type',
      '"type" must be custom, or left out, for a tool of the client, not "fnuction".',
    ],
    [
      'a base URL',
      { base_url: 'http://a' },
      '/base_url',
      '"base_url" can be set on the server only. Leave it out.',
    ],
    [
      'plugins',
      { plugins: ['./a.js'] },
      '/plugins',
      '"plugins" can be set on the server only. Leave it out.',
    ],
    [
      'a script as an image',
      image({ type: 'url', url: 'javascript:alert(1)' }),
      `${AT}/source/url`,
      '"url" must be an https: address, or data: with base64.',
    ],
    [
      'an image by http',
      image({ type: 'url', url: 'http://10.0.0.1/' }),
      `${AT}/source/url`,
      '"url" must be an https: address, or data: with base64.',
    ],
    [
      'a page as an image',
      image({ type: 'base64', media_type: 'text/html', data: 'aGk=' }),
      `${AT}/source/data`,
      '"data" has the media type "text/html", but must have image/….',
    ],
    [
      'a file by id',
      image({ type: 'file', file_id: 'f' }),
      `${AT}/source/type`,
      '"type" must be base64 or url, or text for a document; this server stores no files by id.',
    ],
  ]
  for (const [what, body, pointer, message] of REFUSED) {
    it(`refuses ${what}`, () => {
      expect(refusalOf(() => decode(body))).to.deep.equal({ pointer, message })
    })
  }

  const content = fc.record(
    {
      type: fc.constantFrom(
        'text',
        'image',
        'document',
        'tool_use',
        'tool_result',
        'thinking',
        'x_tool_result',
      ),
      text: fc.jsonValue({ maxDepth: 1 }),
      source: fc.jsonValue({ maxDepth: 2 }),
      tool_use_id: fc.jsonValue({ maxDepth: 1 }),
      content: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: ['type'] },
  )
  const message = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant'),
    content: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(content, { maxLength: 3 })),
  })
  const field = fc.constantFrom('system', 'thinking', 'tools', 'tool_choice', 'output_config')
  const bodies = fc
    .tuple(fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })), fc.array(message, { maxLength: 3 }))
    .map(([fields, messages]) => ({ messages, ...fields }))
  decodesAnything(bodies, decode)
})
