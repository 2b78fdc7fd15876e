import { expect } from 'chai'
import fc from 'fast-check'
import { toMessages } from '../../../../src/plugin/events/index.ts'
import { decodeChatCompletion } from '../../../../src/server/wire/chat-completions/index.ts'
import { decodesAnything, refusalOf } from '../protocol-suites.ts'

const USER = { role: 'user', content: 'Hello' }

function decode(more: object = {}) {
  return decodeChatCompletion({ model: 'm', messages: [USER], ...more })
}

/** Why a body is refused, and where. */
const refusal = (more: object) => refusalOf(() => decode(more))

const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
}

describe('the decoder of chat completions', () => {
  it('keeps a history, with calls, results and reasoning', () => {
    const { messages } = decode({
      messages: [
        { role: 'system', content: 'Be short.' },
        USER,
        { ...CALL, content: 'I look.', reasoning_content: 'hm' },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'there' }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ],
    })
    expect(messages).to.deep.equal([
      { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', callId: 'c1', name: 'look', input: { at: 1 } },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'c1', name: 'look', output: 'there' }],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'No.' }] },
    ])
    expect(toMessages(messages)).to.equal(messages)
  })

  it('keeps penalties, a bias, the end user and metadata as settings', () => {
    const fields = {
      presence_penalty: 0.5,
      frequency_penalty: -2,
      logit_bias: { 50256: -100, 3: 1.5 },
      user: 'u1',
      metadata: { team: 'blue' },
    }
    const { settings, ignored } = decode({ ...fields, n: 1 })
    expect(settings).to.deep.equal(fields)
    expect(ignored).to.deep.equal([])
    expect(decode({ presence_penalty: 0, logit_bias: {} }).settings).to.deep.equal({
      presence_penalty: 0,
      logit_bias: {},
    })
  })

  it('refuses penalties and a bias that the API does not allow', () => {
    for (const [name, value] of [
      ['presence_penalty', 2.1],
      ['frequency_penalty', '1'],
      ['logit_bias', { word: 1 }],
      ['logit_bias', { 3: 101 }],
      ['logit_bias', { 3: null }],
      ['logit_bias', [1]],
      ['n', 2],
    ] as const) {
      expect(() => decode({ [name]: value }), name)
        .to.throw()
        .that.includes({ code: 'REQUEST_INVALID', pointer: `/${name}` })
    }
  })

  it('ignores an end user that is no text, as Open WebUI sends it', () => {
    const { settings, ignored } = decode({ user: { id: '1', role: 'admin' } })
    expect([settings, ignored]).to.deep.equal([{}, ['user']])
  })

  it('ignores metadata that is not in the form of the API', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'x']))
    const long = [{ a: 'x'.repeat(513) }, { ['a'.repeat(65)]: 'x' }, many]
    for (const metadata of [{ a: 1 }, { task: { id: 1 } }, 'text', [1], ...long]) {
      const { settings, ignored } = decode({ metadata })
      expect([settings, ignored]).to.deep.equal([{}, ['metadata']])
    }
  })

  it('puts results that follow each other into one message', () => {
    const calls = ['a', 'b'].map((id) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: '' },
    }))
    const { messages } = decode({
      messages: [
        USER,
        { role: 'assistant', tool_calls: calls },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'tool', tool_call_id: 'a', content: '1' },
      ],
    })
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant', 'tool'])
    expect(messages[2]?.parts).to.have.length(2)
  })

  it('takes images and files in the result of a tool, as vLLM does', () => {
    const url = 'data:image/png;base64,aGk='
    const content = [
      { type: 'text', text: 'seen:' },
      { type: 'image_url', image_url: { url } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'aGk=' } },
    ]
    const { messages } = decode({
      messages: [USER, CALL, { role: 'tool', tool_call_id: 'c1', content }],
    })
    expect(messages[2]?.parts[0]).to.have.deep.property('output', [
      { type: 'text', text: 'seen:' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
    ])
    expect(toMessages(messages)).to.equal(messages)
  })

  it('keeps arguments that are no JSON as the text that they are', () => {
    const broken = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at' } }
    const { messages } = decode({ messages: [USER, { role: 'assistant', tool_calls: [broken] }] })
    expect(messages[1]?.parts[0]).to.include({ input: '{"at' })
  })

  it('takes files by value and images by address', () => {
    const { messages } = decode({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: 'https://a.test/cat.PNG?x=1', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://a.test/cat' } },
            { type: 'image_url', image_url: 'data:image/png;base64,aGk=' },
            { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'aGk=' } },
            { type: 'file', file: { file_data: 'data:text/plain;charset=utf-8;base64,aGk=' } },
          ],
        },
      ],
    })
    expect(messages[0]?.parts).to.deep.equal([
      { type: 'file', mediaType: 'image/png', url: 'https://a.test/cat.PNG?x=1' },
      { type: 'file', mediaType: 'image/jpeg', url: 'https://a.test/cat' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'audio/mpeg', data: 'aGk=' },
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=', name: 'a.pdf' },
      { type: 'file', mediaType: 'text/plain', data: 'aGk=' },
    ])
  })

  it('maps what all providers know', () => {
    const { settings, includesUsage, isStreaming, store } = decode({
      stream: true,
      stream_options: { include_usage: true },
      store: true,
      temperature: 1,
      top_p: 0.5,
      max_tokens: 5,
      stop: 'END',
      seed: 7,
      tool_choice: { type: 'function', function: { name: 'look' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: { type: 'object' } },
      },
    })
    expect({ includesUsage, isStreaming, store }).to.deep.equal({
      includesUsage: true,
      isStreaming: true,
      store: true,
    })
    expect(settings).to.deep.equal({
      temperature: 1,
      top_p: 0.5,
      max_output_tokens: 5,
      stop: ['END'],
      seed: 7,
      tool_choice: { tool: 'look' },
      response_format: { type: 'json-schema', schema: { type: 'object' }, name: 'n' },
    })
    expect(decode({ response_format: { type: 'json_object' } }).settings).to.deep.equal({
      response_format: { type: 'json' },
    })
  })

  it('takes the schema of a format json_object, as llama.cpp and others do', () => {
    const schema = { type: 'object', required: ['a'] }
    const asked = (format: object) => decode({ response_format: format })
    const spelled = asked({ type: 'json_object', schema })
    expect(spelled).to.deep.include({
      settings: { response_format: { type: 'json-schema', schema } },
      schemaPlace: '/response_format/schema',
      ignored: [],
    })
    expect(asked({ type: 'json_object', json_schema: { name: 'n', schema } })).to.deep.include({
      settings: { response_format: { type: 'json-schema', schema, name: 'n' } },
      schemaPlace: '/response_format/json_schema/schema',
      ignored: [],
    })
    expect(asked({ type: 'json_object', schema: {} }).settings).to.deep.equal({
      response_format: { type: 'json' },
    })
    expect(asked({ type: 'text', schema }).ignored).to.deep.equal(['response_format.schema'])
  })

  it('names what it lets in and does not honor, but for what changes nothing', () => {
    const { ignored } = decode({
      frequency_penalty: 0,
      presence_penalty: null,
      logit_bias: null,
      logprobs: true,
      top_logprobs: 0,
      service_tier: 'flex',
      tools: [{ type: 'web_search', web_search: { size: 1 } }],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [] } },
      n: 1,
      'not a\nheader': 1,
    })
    expect(ignored).to.deep.equal([
      'logprobs',
      'service_tier',
      'tools.web_search',
      'tool_choice.allowed_tools',
    ])
  })

  it('names what it does not honor inside of messages and tools, each name once', () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const image = (detail: string) => ({ type: 'image_url', image_url: { url, detail } })
    const made = { id: 'c', index: 0, type: 'function', function: { name: 'f', arguments: '{}' } }
    const { ignored } = decode({
      messages: [
        {
          role: 'user',
          name: 'Bob',
          content: [image('low'), image('high'), image('auto')],
          bar: 2,
        },
        { role: 'user', name: 'Eve', content: [{ type: 'text', text: 'x', 'a\nb': 1, foo: 1 }] },
        { role: 'assistant', content: 'y', annotations: [], audio: {}, tool_calls: [made] },
        { role: 'tool', tool_call_id: 'c', content: 'z', name: 'f' },
      ],
      tools: [
        { type: 'function', function: { name: 'f', strict: true, parameters: {} }, baz: 1 },
        { type: 'function', function: { name: 'g', strict: false, parameters: { own: 1 } } },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      stream_options: { include_usage: true, include_obfuscation: true },
      response_format: { type: 'json_schema', json_schema: { schema: {}, strict: true, q: 1 } },
    })
    expect(ignored).to.have.members([
      'messages[].name',
      'messages[].bar',
      'messages[].content[].image_url.detail',
      'messages[].content[].foo',
      'tools[].baz',
      'tools[].function.strict',
      'stream_options.include_obfuscation',
      'response_format.json_schema.q',
    ])
  })

  it('says where the fields of a function in the form of another API belong', () => {
    const told = refusal({ tools: [{ type: 'function', name: 'f', parameters: {} }] })
    expect(told).to.have.property('message').that.includes('only /v1/responses takes them')
  })

  it('says which type a function has', () => {
    const told = refusal({ tools: [{ type: 'fnuction', function: { name: 'f' } }] })
    expect(told).to.have.property(
      'message',
      '"type" must be function beside "function", not "fnuction".',
    )
  })

  it('says which field is missing, and what a content may be', () => {
    expect(refusal({ messages: undefined })).to.have.property(
      'message',
      '"messages" is missing; give at least one message.',
    )
    expect(refusal({ messages: [{ role: 'user', content: { text: 'x' } }] })).to.have.property(
      'message',
      '"content" must be a string or a list, not {"text":"x"}.',
    )
  })

  it('ignores an empty list of functions', () => {
    expect(decode({ functions: [] }).ignored).to.deep.equal([])
  })

  it('names at most fifty fields of them', () => {
    const message = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`own_${at}`, 1]))
    const { ignored } = decode({ messages: [{ role: 'user', content: 'x', ...message }] })
    expect(ignored).to.have.length(50)
  })

  it('offers only the tools that a choice allows', () => {
    const named = (name: string) => ({ type: 'function', function: { name } })
    const tools = ['f', 'g', 'h'].map(named)
    const allow = (...allowed: readonly object[]) => {
      const choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: allowed } }
      const asked = decode({ tools, tool_choice: choice })
      const names = asked.tools.map(({ name }) => name)
      return [names.join(), asked.settings.tool_choice, asked.ignored]
    }
    expect(allow(named('h'), named('f'))).to.deep.equal(['f,h', 'required', []])
    const name = 'tool_choice.allowed_tools'
    expect(allow(named('f'), named('x'))).to.deep.equal(['f', 'required', [name]])
    for (const others of [[], [named('x')], [{ type: 'web_search' }]]) {
      expect(allow(...others)).to.deep.equal(['f,g,h', undefined, [name]])
    }
  })

  // The shapes that the documentation and the source of both show; not recorded from them.
  it('lets in what Open WebUI sends, with its calls for titles and tags', () => {
    const asked = decode({
      stream: true,
      stream_options: { include_usage: true },
      chat_id: 'chat-1',
      session_id: 's',
      id: 'message-1',
      files: [{ type: 'file', id: 'f' }],
      metadata: { chat_id: 'chat-1' },
      features: { web_search: false },
      background_tasks: { title_generation: true, tags_generation: true },
    })
    expect(asked.includesUsage).to.equal(true)
    expect(asked.ignored).to.include.members(['chat_id', 'files', 'background_tasks'])
    const title = {
      stream: false,
      max_completion_tokens: 1000,
      metadata: { task: 'title_generation' },
    }
    expect(decode(title).settings).to.deep.equal({
      max_output_tokens: 1000,
      metadata: { task: 'title_generation' },
    })
  })

  it('lets in what LibreChat sends', () => {
    const { settings, ignored } = decode({
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      user: 'LibreChat_User_ID',
      stream: true,
    })
    expect(settings).to.deep.equal({
      temperature: 1,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      user: 'LibreChat_User_ID',
    })
    expect(ignored).to.deep.equal([])
  })

  const part = (content: object) => ({ messages: [{ role: 'user', content: [content] }] })
  const image = (url: string) => part({ type: 'image_url', image_url: { url } })
  const REFUSED: readonly (readonly [what: string, body: object, pointer: string])[] = [
    ['no model', { model: undefined }, '/model'],
    ['no message', { messages: [] }, '/messages'],
    ['messages that are none', { messages: 'Hello' }, '/messages'],
    ['a message that is none', { messages: [null] }, '/messages/0'],
    ['a role of its own', { messages: [{ role: 'root', content: '' }] }, '/messages/0/role'],
    ['a message without content', { messages: [{ role: 'user' }] }, '/messages/0/content'],
    ['a part of its own', part({ type: 'video' }), '/messages/0/content/0/type'],
    ['a prototype as a part', part({ type: 'constructor' }), '/messages/0/content/0/type'],
    ['more than one answer', { n: 2 }, '/n'],
    ['a temperature out of range', { temperature: 3 }, '/temperature'],
    ['a temperature that is a text', { temperature: '1' }, '/temperature'],
    ['a length that is none', { max_tokens: 0.5 }, '/max_tokens'],
    ['an effort that is none', { reasoning_effort: 'most' }, '/reasoning_effort'],
    ['an empty stop', { stop: [''] }, '/stop'],
    ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'c' } }] }, '/tools/0/type'],
    ['a choice that is none', { tool_choice: 'some' }, '/tool_choice'],
    ['a format that is none', { response_format: { type: 'xml' } }, '/response_format/type'],
    [
      'a tool without a name',
      { tools: [{ type: 'function', function: {} }] },
      '/tools/0/function/name',
    ],
    [
      'a function in the form of /v1/responses',
      { tools: [{ type: 'function', name: 'f', parameters: {} }] },
      '/tools/0/function',
    ],
    ['a misspelled function', { tools: [{ type: 'function', functon: {} }] }, '/tools/0/function'],
    [
      'a function of a misspelled type',
      { tools: [{ type: 'fnuction', function: { name: 'f' } }] },
      '/tools/0/type',
    ],
    ['functions of before tools', { functions: [{ name: 'f' }] }, '/functions'],
    [
      'a name that no model takes',
      { tools: [{ type: 'function', function: { name: 'a b' } }] },
      '/tools/0/function/name',
    ],
    [
      'two tools of one name',
      { tools: [1, 2].map(() => ({ type: 'function', function: { name: 'a' } })) },
      '/tools/1/function/name',
    ],
    [
      'a result of no call',
      { messages: [{ role: 'tool', tool_call_id: 'c1', content: '' }] },
      '/messages/0/tool_call_id',
    ],
    [
      'a second result',
      {
        messages: [CALL, ...[1, 2].map(() => ({ role: 'tool', tool_call_id: 'c1', content: '' }))],
      },
      '/messages/2/tool_call_id',
    ],
    ['a provider', { provider: 'openai' }, '/provider'],
    ['a base URL, however it is spelled', { baseURL: 'http://a' }, '/baseURL'],
    ['a key', { api_key: 'k' }, '/api_key'],
    ['plugins', { enabled_plugins: [] }, '/enabled_plugins'],
    ['settings', { settings: { files: {} } }, '/settings'],
    ['a script as an image', image('javascript:alert(1)'), '/messages/0/content/0/image_url/url'],
    ['a file of the server', image('file:///etc/passwd'), '/messages/0/content/0/image_url/url'],
    ['an image by http', image('http://169.254.169.254/'), '/messages/0/content/0/image_url/url'],
    [
      'a file of the server as a bare address',
      part({ type: 'image_url', image_url: 'file:///etc/passwd' }),
      '/messages/0/content/0/image_url',
    ],
    [
      'a page as an image',
      image('data:text/html;base64,aGk='),
      '/messages/0/content/0/image_url/url',
    ],
    [
      'an image that is no base64',
      image('data:image/png;base64,%'),
      '/messages/0/content/0/image_url/url',
    ],
    [
      'a file by id',
      part({ type: 'file', file: { file_id: 'f' } }),
      '/messages/0/content/0/file/file_id',
    ],
  ]
  for (const [what, body, pointer] of REFUSED) {
    it(`refuses ${what}`, () => {
      expect(refusal(body).pointer).to.equal(pointer)
    })
  }

  it('refuses what is no object', () => {
    for (const body of [null, 'Hello', [], 1, undefined]) {
      expect(() => decodeChatCompletion(body)).to.throw('The body must be a JSON object.')
    }
  })

  it('refuses a body that is too deep, and says where', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(refusal({ metadata: deep }).message).to.include('nested deeper')
  })

  it('is not harmed by the names of prototypes', () => {
    const body = JSON.parse(
      '{"model":"m","messages":[{"role":"user","content":"a","constructor":1}],"constructor":{"name":"x"},"toString":1,"hasOwnProperty":2}',
    ) as object
    expect(decodeChatCompletion(body).messages).to.have.length(1)
    const poisoned = JSON.parse('{"metadata":{"__proto__":{"polluted":1}}}') as object
    expect(refusal(poisoned).pointer).to.equal('/metadata/__proto__')
    expect({}).to.not.have.property('polluted')
  })

  const field = fc.constantFrom(
    'model',
    'messages',
    'tools',
    'stop',
    'tool_choice',
    'stream_options',
  )
  const message = fc.record({
    role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'root'),
    content: fc.jsonValue({ maxDepth: 3 }),
    tool_calls: fc.jsonValue({ maxDepth: 3 }),
  })
  const bodies = fc
    .tuple(fc.dictionary(field, fc.jsonValue({ maxDepth: 4 })), fc.array(message, { maxLength: 3 }))
    .map(([fields, messages]) => ({ messages, ...fields }))
  decodesAnything(bodies, decode)
})
