import { expect } from 'chai'
import fc from 'fast-check'
import { type Message, toMessages } from '../../../../src/plugin/events/index.ts'
import {
  decodeResponses,
  type KnownItems,
  referencesIn,
} from '../../../../src/server/wire/responses/index.ts'
import { decodesAnything, refusalOf } from '../protocol-suites.ts'

function decode(more: object = {}) {
  return decodeResponses({ model: 'm', input: 'Hello', ...more })
}

/** Where a body is refused. */
const refusal = (more: object) => refusalOf(() => decode(more)).pointer

const CALL = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' }
const OUTPUT = { type: 'function_call_output', call_id: 'c1', output: 'there' }

describe('the decoder of responses', () => {
  it('takes a text for one message of the user', () => {
    expect(decode().messages).to.deep.equal([
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    ])
  })

  it('takes the result of a call of the server from the stored item where the client left it out', () => {
    const call = { type: 'mcp_call', id: 'mcp_r_1', name: 'search', arguments: '{}', approval: 1 }
    const messagesOf = (item: object, known?: KnownItems) =>
      decodeResponses({ model: 'm', input: [item, { role: 'user', content: 'So?' }] }, known)
    const held: readonly Message[] = [
      { role: 'assistant', parts: [{ type: 'tool-call', callId: 'h', name: 'search', input: {} }] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'h', name: 'search', output: 'found' }],
      },
    ]
    const known = { messages: new Map([['mcp_r_1', held]]), advice: '' }
    const alone = { ...call, output: null, error: null }
    expect(messagesOf(alone, known).messages.slice(0, 2)).to.deep.equal(held)
    expect(messagesOf(alone).messages.map(({ role }) => role)).to.deep.equal(['user'])
    expect(messagesOf(alone).ignored).to.deep.equal([])
    const whole = messagesOf({ ...call, output: '' }, known).messages[1]?.parts[0]
    expect(whole).to.deep.include({ callId: 'mcp_r_1', output: '' })
    expect(referencesIn({ input: [alone, { ...call, output: '' }, call] }).ids).to.deep.equal([
      'mcp_r_1',
    ])
    expect(referencesIn({ input: [{ ...call, error: 'no' }] }).ids).to.deep.equal([])
  })

  it('makes one message of the items of an answer, and one of its results', () => {
    const { messages } = decode({
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'hm' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        CALL,
        { ...CALL, call_id: 'c2' },
        OUTPUT,
        {
          ...OUTPUT,
          call_id: 'c2',
          output: [{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
        },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ],
    })
    expect(messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).to.deep.equal([
      ['user', ['text']],
      ['assistant', ['reasoning', 'text', 'tool-call', 'tool-call']],
      ['tool', ['tool-result', 'tool-result']],
      ['assistant', ['text']],
    ])
    expect(messages[2]?.parts[1]).to.deep.include({
      output: [{ type: 'file', mediaType: 'image/png', data: 'aGk=' }],
    })
    expect(toMessages(messages)).to.equal(messages)
  })

  it('takes the text of custom tools as the argument that the model is shown', () => {
    const custom = { type: 'custom_tool_call', call_id: 'c1', name: 'run', input: 'a b' }
    expect(decode({ input: [custom] }).messages[0]?.parts[0]).to.deep.include({
      input: { input: 'a b' },
    })
  })

  it('takes files by value and by address, and images that the model made', () => {
    const files = [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      { type: 'input_file', file_url: 'https://a.test/a.pdf' },
    ]
    const made = { type: 'image_generation_call', id: 'ig', result: 'aGk=' }
    const { messages } = decode({ input: [{ role: 'user', content: files }, made] })
    expect(messages.flatMap(({ parts }) => parts)).to.deep.equal([
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/a.pdf' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
    ])
  })

  it('believes of sealed reasoning nothing but its seal', () => {
    const sealed = {
      type: 'reasoning',
      summary: [],
      encrypted_content: 'rs_1:sealed:more',
      evil: 1,
    }
    expect(decode({ input: [sealed] }).messages[0]?.parts[0]).to.deep.equal({
      type: 'reasoning',
      text: '',
      providerMetadata: {
        openai: { item: { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed:more' } },
      },
    })
    const foreign = { ...sealed, encrypted_content: 'no seal of ours' }
    expect(decode({ input: [foreign] }).messages[0]?.parts[0]).to.not.have.property(
      'providerMetadata',
    )
  })

  it('takes results of calls that stand in an earlier response only where one is named', () => {
    expect(refusal({ input: [OUTPUT] })).to.equal('/input/0/call_id')
    const { messages } = decode({ input: [OUTPUT], previous_response_id: 'resp_0' })
    expect(messages[0]?.parts[0]).to.include({ callId: 'c1', name: '' })
    expect(decode({ input: [OUTPUT], conversation: 'c' }).conversationId).to.equal('c')
  })

  it('names what it lets in and does not honor, but for what changes nothing', () => {
    const { ignored } = decode({
      truncation: 'disabled',
      max_tool_calls: 3,
      text: { format: { type: 'text' }, verbosity: 'high' },
      reasoning: { effort: 'low', summary: 'detailed', generate_summary: 'auto' },
      tools: [{ type: 'web_search' }, { type: 'file_search_\nb' }],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] },
    })
    expect(ignored).to.deep.equal([
      'max_tool_calls',
      'text.verbosity',
      'reasoning.generate_summary',
      'tools.web_search',
      'tools.unknown',
      'tool_choice.allowed_tools',
    ])
  })

  it('names what it does not honor inside of items and tools, each name once', () => {
    const image_url = 'data:image/png;base64,iVBORw0KGgo='
    const image = { type: 'input_image', image_url, detail: 'low' }
    const text = { type: 'output_text', text: 'y', annotations: [], logprobs: [] }
    const call = { type: 'function_call', id: 'i', status: 'completed', call_id: 'c', name: 'f' }
    const { ignored } = decode({
      input: [
        { type: 'message', id: 'm', status: 'completed', role: 'user', content: [image], own: 1 },
        { type: 'message', id: 'n', role: 'assistant', content: [text], phase: 'commentary' },
        { ...call, arguments: '{}' },
        { type: 'function_call_output', id: 'o', status: 'completed', call_id: 'c', output: 'z' },
        { type: 'web_search_call', id: 'w', action: { type: 'search' } },
      ],
      tools: [
        { type: 'function', name: 'f', parameters: {}, strict: true, defer_loading: true },
        { type: 'web_search', search_context_size: 'low' },
      ],
    })
    expect(ignored).to.have.members([
      'input[].own',
      'input[].content[].detail',
      'tools[].strict',
      'tools[].defer_loading',
      'tools.web_search',
      'input.web_search_call',
    ])
  })

  it('offers only the tools that a choice allows', () => {
    const named = (name: string) => ({ type: 'function', name, parameters: {} })
    const grouped = { type: 'namespace', name: 'n', tools: [named('g')] }
    const tools = [named('f'), grouped, { type: 'custom', name: 'c' }]
    const allow = (...allowed: readonly object[]) => {
      const choice = { type: 'allowed_tools', mode: 'required', tools: allowed }
      const asked = decode({ tools, tool_choice: choice })
      return [asked.tools.map(({ name }) => name).join(), asked.settings.tool_choice, asked.ignored]
    }
    const own = { type: 'custom', name: 'c' }
    expect(allow(named('f'), own)).to.deep.equal(['f,c', 'required', []])
    const inGroup = { type: 'function', name: 'g', namespace: 'n' }
    const [name, choice] = allow(inGroup)
    expect([name, choice]).to.deep.equal([decode({ tools: [grouped] }).tools[0]?.name, 'required'])
    const ignored = ['tool_choice.allowed_tools']
    expect(allow(own, { type: 'web_search' })).to.deep.equal(['c', 'required', ignored])
    expect(allow({ type: 'web_search' }).slice(1)).to.deep.equal([undefined, ignored])
  })

  const item = (more: object) => ({ input: [more] })
  const tool = (more: object) => ({ tools: [more] })
  const group = (more: object) => tool({ type: 'namespace', name: 'g', tools: [more] })
  const part = (more: object) => item({ role: 'user', content: [more] })
  const AT = '/input/0/content/0'
  const REFUSED: readonly (readonly [
    what: string,
    body: object,
    pointer: string,
    message: string,
  ])[] = [
    ['an empty model', { model: '' }, '/model', '"model" is empty; give a string.'],
    [
      'a prompt that OpenAI stores',
      { prompt: { id: 'pmpt_1', variables: { city: 'Rome' } } },
      '/prompt',
      '"prompt" names a prompt that this server does not have; send its text as "instructions" and "input".',
    ],
    [
      'no input',
      { input: undefined },
      '/input',
      '"input" is missing; give a string or at least one item.',
    ],
    [
      'the messages of Chat Completions',
      { input: undefined, messages: [{ role: 'user', content: 'Hello' }] },
      '/input',
      '"input" is missing; give a string or at least one item in place of "messages", the field of /v1/chat/completions.',
    ],
    ['an input that is none', { input: 7 }, '/input', '"input" must be a string or a list, not 7.'],
    [
      'an output that is none',
      {
        input: [
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: { a: 1 } },
        ],
      },
      '/input/1/output',
      '"output" must be a string or a list, not {"a":1}.',
    ],
    [
      'an empty input',
      { input: [] },
      '/input',
      '"input" is empty; give a string or at least one item.',
    ],
    ['an item that is none', { input: [1] }, '/input/0', 'This value must be an object, not 1.'],
    [
      'a role of its own',
      item({ role: 'root', content: '' }),
      '/input/0/role',
      '"role" must be one of user, assistant, system, developer, not "root".',
    ],
    [
      'a message without a role',
      item({ content: '' }),
      '/input/0/role',
      '"role" is missing; it must be one of user, assistant, system, developer.',
    ],
    [
      'a part of its own',
      part({ type: 'constructor' }),
      `${AT}/type`,
      '"type" is not a known type of content part: "constructor".',
    ],
    [
      'an item that it does not know',
      item({ type: 'item_reference', id: 'i' }),
      '/input/0/id',
      '"id" names an item that this server does not have. Send the item itself.',
    ],
    [
      'an unknown item by its id alone',
      item({ id: 'msg_1_0' }),
      '/input/0/id',
      '"id" names an item that this server does not have. Send the item itself.',
    ],
    [
      'a reference to nothing',
      item({ type: 'item_reference' }),
      '/input/0/id',
      '"id" is missing; give a string.',
    ],
    [
      'a call without a name',
      item({ ...CALL, name: undefined }),
      '/input/0/name',
      '"name" is missing; give a string.',
    ],
    [
      'a second result',
      { input: [CALL, OUTPUT, OUTPUT] },
      '/input/2/call_id',
      '"call_id" must be the id of an earlier call that has no result yet.',
    ],
    [
      'an effort that is none',
      { reasoning: { effort: 'most' } },
      '/reasoning/effort',
      '"effort" must be one of none, minimal, low, medium, high, xhigh, max, not "most".',
    ],
    [
      'a format that is none',
      { text: { format: { type: 'xml' } } },
      '/text/format/type',
      '"type" must be one of text, json_object, json_schema, not "xml".',
    ],
    [
      'a schema that is missing',
      { text: { format: { type: 'json_schema' } } },
      '/text/format/schema',
      '"schema" is missing; give a JSON Schema.',
    ],
    [
      'a choice that is none',
      { tool_choice: 'some' },
      '/tool_choice',
      '"tool_choice" must be one of auto, none, required, not "some".',
    ],
    [
      'the choice of a tool that it lacks',
      { tool_choice: { type: 'mcp' } },
      '/tool_choice/type',
      '"type" is "mcp", a tool that this server does not have.',
    ],
    [
      'a server of tools',
      tool({ type: 'mcp', server_url: 'https://a.test/' }),
      '/tools/0/type',
      '"type" is mcp, and this server connects to no MCP server that a request names; leave it out, and have the operator set up the plugin "mcp".',
    ],
    [
      'a tool that the client would run',
      tool({ type: 'local_shell' }),
      '/tools/0/type',
      '"type" is "local_shell", a tool whose calls this server cannot hand over; define it as a function or a custom tool.',
    ],
    [
      'a tool of no kind',
      tool({ type: 'a\nb' }),
      '/tools/0/type',
      '"type" is "a\\nb", a tool whose calls this server cannot hand over; define it as a function or a custom tool.',
    ],
    [
      'a namespace in a namespace',
      group({ type: 'namespace', name: 'n' }),
      '/tools/0/tools/0/type',
      '"type" must be function or custom, not "namespace".',
    ],
    [
      'a namespace without a name',
      tool({ type: 'namespace', tools: [] }),
      '/tools/0/name',
      '"name" is missing; give a string.',
    ],
    [
      'a nameless tool of a namespace',
      group({ type: 'function' }),
      '/tools/0/tools/0/name',
      '"name" is missing; give a string.',
    ],
    [
      'a tool of a namespace twice',
      {
        tools: [
          { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] },
          { type: 'function', name: 'a__b' },
        ],
      },
      '/tools/1/name',
      '"name" is already the name of an earlier tool.',
    ],
    [
      'a grammar without a definition',
      tool({ type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark' } }),
      '/tools/0/format/definition',
      '"definition" is missing; give a string.',
    ],
    [
      'a conversation without an id',
      { conversation: {} },
      '/conversation/id',
      '"id" is missing; give a string.',
    ],
    [
      'a tool without a name',
      { tools: [{ type: 'function' }] },
      '/tools/0/name',
      '"name" is missing; give a string.',
    ],
    [
      'a tool in the form of Chat Completions',
      { tools: [{ type: 'function', function: { name: 'f', parameters: {} } }] },
      '/tools/0/function',
      '"function" is the form of /v1/chat/completions; give "name", "description" and "parameters" on the tool itself.',
    ],
    [
      'items of unknown types alone',
      { input: [{ type: 'mesage', role: 'user', content: 'Hello' }] },
      '/input/0/type',
      '"type" must be the type of an item, such as message, not "mesage".',
    ],
    [
      'a provider',
      { provider: 'openai' },
      '/provider',
      '"provider" can be set on the server only. Leave it out.',
    ],
    [
      'a script as an image',
      part({ type: 'input_image', image_url: 'javascript:1' }),
      `${AT}/image_url`,
      '"image_url" must be an https: address, or data: with base64.',
    ],
    [
      'a file of the server',
      part({ type: 'input_file', file_url: 'file:///a' }),
      `${AT}/file_url`,
      '"file_url" must be an https: address, or data: with base64.',
    ],
    [
      'a file by id',
      part({ type: 'input_file', file_id: 'f' }),
      `${AT}/file_id`,
      '"file_id" names a file that this server does not have; send the content of the file.',
    ],
  ]
  it('takes the schema of a format json_object, as llama.cpp and others do', () => {
    const schema = { type: 'object', required: ['a'] }
    const asked = decode({ input: 'x', text: { format: { type: 'json_object', schema } } })
    expect(asked).to.deep.include({
      settings: { response_format: { type: 'json-schema', schema } },
      schemaPlace: '/text/format/schema',
      ignored: [],
    })
  })

  for (const [what, body, pointer, message] of REFUSED) {
    it(`refuses ${what}`, () => {
      expect(refusalOf(() => decode(body))).to.deep.equal({ pointer, message })
    })
  }

  const given = fc.record(
    {
      type: fc.constantFrom('message', 'function_call', 'function_call_output', 'reasoning', 'x'),
      role: fc.constantFrom('user', 'assistant'),
      content: fc.jsonValue({ maxDepth: 2 }),
      call_id: fc.jsonValue({ maxDepth: 1 }),
      summary: fc.jsonValue({ maxDepth: 2 }),
      output: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  )
  const field = fc.constantFrom('text', 'reasoning', 'tools', 'tool_choice', 'conversation')
  const bodies = fc
    .tuple(fc.dictionary(field, fc.jsonValue({ maxDepth: 3 })), fc.array(given, { maxLength: 4 }))
    .map(([fields, input]) => ({ input, ...fields }))
  decodesAnything(bodies, decode)
})
