import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../../src/core/index.ts'
import { publicError } from '../../../../src/server/wire/public-error.ts'
import {
  decodeUiRequest,
  toUiMessages,
  type UiRequest,
  uiErrorAnswer,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { conversation } from '../../../helpers/arbitraries.ts'

const HELLO = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }

function decoded(messages: readonly object[], more: object = {}): UiRequest {
  return decodeUiRequest({ id: 'chat-1', messages, trigger: 'submit-message', ...more })
}

function answerOf(...parts: readonly object[]): UiRequest {
  return decoded([HELLO, { id: 'a1', role: 'assistant', parts }])
}

function refusal(body: unknown): {
  readonly pointer: string | undefined
  readonly message: string
} {
  try {
    decodeUiRequest(body)
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'REQUEST_INVALID') throw error
    return { pointer: error.pointer, message: error.message }
  }
  throw new Error('It was taken.')
}

describe('requests of the UI message stream', () => {
  it('bring the conversation, its messages and their ids', () => {
    expect(decoded([HELLO], { agent: 'fast' })).to.deep.equal({
      agent: 'fast',
      conversationId: 'chat-1',
      messages: [HELLO],
      settings: {},
      tools: [],
      isStreaming: true,
      approvals: [],
      ignored: [],
    })
  })

  it('name no model: what answers is an agent', () => {
    const refused = refusal({ id: 'c', messages: [HELLO], model: 'fast' })
    expect(refused.pointer).to.equal('/model')
    expect(refused.message).to.include('"agent"')
    expect(decoded([HELLO], { model: null })).to.not.have.property('agent')
  })

  it('say which message is to be answered anew', () => {
    const more = { trigger: 'regenerate-message', messageId: 'a1' }
    expect(decoded([HELLO], more).regenerate).to.deep.equal({ messageId: 'a1' })
    expect(decoded([HELLO], { trigger: 'regenerate-message' }).regenerate).to.deep.equal({})
  })

  it('say which message the answer goes on with, where they bring something for it', () => {
    const answer = { id: 'a1', role: 'assistant', parts: [{ type: 'text', text: 'Hi' }] }
    expect(decoded([HELLO, answer]).continues).to.equal('a1')
    expect(decoded([HELLO, answer, HELLO]).continues).to.equal(undefined)
    const again = { trigger: 'regenerate-message', messageId: 'a1' }
    expect(decoded([HELLO, answer], again).continues).to.equal(undefined)
  })

  it('may bring the last message alone, as apps that keep the history elsewhere do', () => {
    expect(decodeUiRequest({ id: 'c', message: HELLO }).messages).to.deep.equal([HELLO])
  })

  it('bring settings by the names of the AI SDK, and say what is not honored', () => {
    const { settings, ignored } = decoded([HELLO], {
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      seed: 7,
      toolChoice: 'required',
      topK: 3,
      system: 'You are a pirate.',
      webSearch: true,
    })
    expect(settings).to.deep.equal({
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      stop: ['END'],
      seed: 7,
      tool_choice: 'required',
    })
    expect(ignored).to.deep.equal(['topK', 'system', 'webSearch'])
  })

  it("bring the client's own tools by name", () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const tools = { weather: { description: 'The weather', parameters } }
    expect(decoded([HELLO], { tools }).tools).to.deep.equal([
      { name: 'weather', description: 'The weather', input_schema: parameters },
    ])
  })

  it('make a message a step of an answer, each with the results of its calls', () => {
    const { messages } = answerOf(
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm', providerMetadata: { anthropic: { signature: 's' } } },
      {
        type: 'dynamic-tool',
        toolName: 'add',
        toolCallId: 'c1',
        state: 'output-available',
        input: { a: 1 },
        output: 2,
        callProviderMetadata: { openai: { itemId: 'i' } },
      },
      {
        type: 'tool-search',
        toolCallId: 'c2',
        state: 'output-error',
        input: {},
        errorText: 'No.',
        providerExecuted: true,
      },
      { type: 'step-start' },
      { type: 'text', text: 'It is 2.', state: 'done' },
      { type: 'source-url', sourceId: 's', url: 'https://a.test', title: 'A' },
      { type: 'data-chart', id: 'd', data: [1] },
    )
    expect(messages.slice(1)).to.deep.equal([
      {
        id: 'a1',
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm', providerMetadata: { anthropic: { signature: 's' } } },
          {
            type: 'tool-call',
            callId: 'c1',
            name: 'add',
            input: { a: 1 },
            providerMetadata: { openai: { itemId: 'i' } },
          },
          { type: 'tool-call', callId: 'c2', name: 'search', input: {}, providerExecuted: true },
          {
            type: 'tool-result',
            callId: 'c2',
            name: 'search',
            output: 'No.',
            isError: true,
            providerExecuted: true,
          },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', name: 'add', output: 2 }] },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'It is 2.' },
          { type: 'source', url: 'https://a.test', title: 'A' },
          { type: 'data', name: 'chart', data: [1] },
        ],
      },
    ])
  })

  it('leave out a call that was never finished, and keep open one that has no result', () => {
    const tool = { type: 'tool-add', input: { a: 1 } }
    const { messages } = answerOf(
      { ...tool, toolCallId: 'c1', state: 'input-streaming' },
      { ...tool, toolCallId: 'c2', state: 'input-available' },
      { ...tool, toolCallId: 'c3', state: 'output-available', output: 'half', preliminary: true },
    )
    const [, answer, ...rest] = messages
    expect(rest).to.deep.equal([])
    expect(answer?.parts).to.deep.equal([
      { type: 'tool-call', callId: 'c2', name: 'add', input: { a: 1 } },
      { type: 'tool-call', callId: 'c3', name: 'add', input: { a: 1 } },
    ])
  })

  it('bring answers to approvals that the host has not had yet', () => {
    const asked = (id: string, more: object) => {
      const call = { type: 'dynamic-tool', toolName: 'rm', toolCallId: id, input: {} }
      return { ...call, state: 'approval-responded', approval: { id: `ask-${id}`, ...more } }
    }
    const earlier = { role: 'assistant', parts: [asked('c0', { approved: true })] }
    const last = {
      role: 'assistant',
      parts: [
        asked('c1', { approved: true }),
        asked('c2', { approved: false, reason: 'Not mine.' }),
      ],
    }
    const { approvals, messages } = decoded([HELLO, earlier, HELLO, last])
    expect(approvals).to.deep.equal([
      { approvalId: 'ask-c1', approved: true },
      { approvalId: 'ask-c2', approved: false, reason: 'Not mine.' },
    ])
    expect(messages.at(-1)?.role).to.equal('assistant')
  })

  it('bring answers to approvals as a data part of a user, and take none from what the host said', () => {
    const part = { type: 'data-approval', data: { approvalId: 'a', approved: true } }
    const said = { role: 'assistant', parts: [part] }
    expect(decoded([HELLO, said]).approvals).to.deep.equal([])
    expect(decoded([HELLO, said, { role: 'user', parts: [part] }]).approvals).to.deep.equal([
      { approvalId: 'a', approved: true },
    ])
  })

  it('are read without what the server shows of a steered run, which its history has', () => {
    const part = { type: 'data-steering', id: 'u2', data: { text: 'Be brief.' } }
    const said = { role: 'assistant', parts: [part, { type: 'text', text: 'Yes.' }] }
    const { messages, ignored } = decoded([HELLO, said, HELLO])
    expect(messages[1]?.parts).to.deep.equal([{ type: 'text', text: 'Yes.' }])
    expect(ignored).to.deep.equal([])
  })

  it('are refused if their answer to an approval is missing', () => {
    const parts = [{ type: 'data-approval', data: { approvalId: 'a' } }]
    const messages = [HELLO, { role: 'user', parts }]
    const { pointer, message } = refusal({ id: 'c', messages, trigger: 'submit-message' })
    expect(pointer).to.equal('/messages/1/parts/0/data/approved')
    expect(message).to.include('it must be true or false')
  })

  it('bring the files of reasoning', () => {
    const file = { type: 'reasoning-file', mediaType: 'image/png' }
    expect(answerOf({ ...file, url: 'https://a.test/b' }).messages[1]?.parts).to.deep.equal([
      { ...file, type: 'file', url: 'https://a.test/b' },
    ])
  })

  it('bring files without a media type, such as a Makefile, with that of the address or none that is known', () => {
    const file = { type: 'file', mediaType: '' }
    const urls = ['data:text/x-make;base64,YWxsOg==', `/api/files/${'0'.repeat(64)}`]
    const parts = [...urls, 'https://a.test/b'].map((url) => ({ ...file, url }))
    const { messages } = decoded([{ role: 'user', parts }])
    const unknown = { type: 'file', mediaType: 'application/octet-stream' }
    expect(messages[0]?.parts).to.deep.equal([
      { type: 'file', mediaType: 'text/x-make', data: 'YWxsOg==' },
      { ...unknown, url: urls[1] },
      { ...unknown, url: 'https://a.test/b' },
    ])
  })

  it('bring files by value and by address', () => {
    const file = { type: 'file', mediaType: 'image/png' }
    const { messages } = decoded([
      {
        role: 'user',
        parts: [
          { ...file, url: 'data:image/png;base64,aGVsbG8=', filename: 'a.png' },
          { ...file, url: 'https://a.test/b' },
        ],
      },
    ])
    expect(messages[0]?.parts).to.deep.equal([
      { ...file, data: 'aGVsbG8=', name: 'a.png' },
      { ...file, url: 'https://a.test/b' },
    ])
  })

  it('take parts that newer clients add, and say so', () => {
    const { messages, ignored } = answerOf(
      { type: 'text', text: 'Hi' },
      { type: 'hologram', of: 'x' },
    )
    expect(messages.at(-1)?.parts).to.deep.equal([{ type: 'text', text: 'Hi' }])
    expect(ignored).to.deep.equal(['parts.hologram'])
  })

  it('are refused with the place of a part whose type is unknown, where nothing else was said', () => {
    const misspelled = { role: 'user', parts: [{ type: 'txt', text: 'x' }] }
    const message = '"type" must be the type of a part, such as text or file, not "txt".'
    expect(refusal({ messages: [misspelled] })).to.deep.equal({
      pointer: '/messages/0/parts/0/type',
      message,
    })
    expect(refusal({ messages: [HELLO, misspelled] })).to.deep.equal({
      pointer: '/messages/1/parts/0/type',
      message,
    })
    const answer = { ...misspelled, role: 'assistant' }
    expect(refusal({ messages: [answer] }).pointer).to.equal('/messages/0/parts/0/type')
    for (const earlier of [misspelled, answer]) {
      const { messages, ignored } = decoded([HELLO, earlier, HELLO])
      expect(messages).to.deep.equal([HELLO, HELLO])
      expect(ignored).to.deep.equal(['parts.txt'])
    }
    expect(decoded([HELLO, answer]).messages).to.deep.equal([HELLO])
  })

  it('ask for no step by their metadata', () => {
    const metadata = { theme: 'dark', retry: { message: 'again', code: 'X' } }
    expect(decoded([{ ...HELLO, metadata }]).messages[0]?.metadata).to.deep.equal({ theme: 'dark' })
  })

  it('say again what was made of a history', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        // What says nothing is no message, and arguments that are nothing are none.
        const said = messages.filter(({ parts }) => parts.length > 0)
        const ui = toUiMessages(
          said.map(({ parts, ...message }) => ({
            ...message,
            parts: parts.map((part) =>
              'input' in part ? { ...part, input: part.input ?? {} } : part,
            ),
          })),
        )
        const again = decoded(JSON.parse(JSON.stringify(ui)) as object[]).messages
        expect(toUiMessages(again)).to.deep.equal(ui)
      }),
    )
  })

  const user = (...parts: readonly unknown[]) => ({ messages: [{ role: 'user', parts }] })
  const image = (more: object) =>
    user({ type: 'file', mediaType: 'image/png', url: 'https://a.test', ...more })
  const tool = (more: object) => ({
    messages: [
      {
        role: 'assistant',
        parts: [{ type: 'tool-a', toolCallId: 'c', state: 'input-available', ...more }],
      },
    ],
  })
  const HOSTILE: readonly [string, unknown, string][] = [
    ['no object', 'hello', ''],
    ['a list', [], ''],
    ['no messages', { id: 'c' }, '/messages'],
    ['messages that are none', { messages: 'hello' }, '/messages'],
    ['nothing to answer', { messages: [] }, '/messages'],
    ['a message that is none', { messages: [null] }, '/messages/0'],
    ['a role that is none', { messages: [{ role: 'tool', parts: [] }] }, '/messages/0/role'],
    ['no parts', { messages: [{ role: 'user', content: 'hi' }] }, '/messages/0/parts'],
    ['a part without a type', user({ text: 'hi' }), '/messages/0/parts/0/type'],
    ['a text that is none', user({ type: 'text', text: 5 }), '/messages/0/parts/0/text'],
    ['a call of a user', user({ type: 'tool-a' }), '/messages/0/parts/0/type'],
    ['a call without an id', tool({ toolCallId: undefined }), '/messages/0/parts/0/toolCallId'],
    ['a state that is none', tool({ state: 'done' }), '/messages/0/parts/0/state'],
    [
      'an answer to no approval',
      tool({ state: 'approval-responded' }),
      '/messages/0/parts/0/approval',
    ],
    [
      'an answer that is none',
      tool({ state: 'approval-responded', approval: { id: 'a', approved: 'yes' } }),
      '/messages/0/parts/0/approval/approved',
    ],
    ['a script for an address', image({ url: 'javascript:alert(1)' }), '/messages/0/parts/0/url'],
    ['a file of the server', image({ url: 'file:///etc/passwd' }), '/messages/0/parts/0/url'],
    ['base64 that is none', image({ url: 'data:image/png;base64,%%%' }), '/messages/0/parts/0/url'],
    ['a media type that is none', image({ mediaType: 'image' }), '/messages/0/parts/0/mediaType'],
    ['a trigger that is none', { messages: [HELLO], trigger: 'explode' }, '/trigger'],
    ['a setting out of its range', { messages: [HELLO], temperature: 99 }, '/temperature'],
    [
      'a tool with a name that is none',
      { messages: [HELLO], tools: { 'a b': {} } },
      '/tools/a b/name',
    ],
    ['a provider', { messages: [HELLO], provider: 'openai' }, '/provider'],
    ['a base URL', { messages: [HELLO], baseURL: 'https://evil.test' }, '/baseURL'],
    ['a secret', { messages: [HELLO], api_key: 'x' }, '/api_key'],
    ['plugins', { messages: [HELLO], enabled_plugins: [] }, '/enabled_plugins'],
    [
      'a key that reaches a prototype',
      JSON.parse('{"messages":[{"role":"user","parts":[],"__proto__":{}}]}'),
      '/messages/0/__proto__',
    ],
  ]
  for (const [what, body, pointer] of HOSTILE) {
    it(`are refused with ${what}`, () => {
      const { message, ...refused } = refusal(body)
      expect(refused, message).to.deep.equal({ pointer })
    })
  }

  it('are refused where they are too deep, before anything walks down', () => {
    let data: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) data = [data]
    expect(refusal(user({ type: 'data-a', data })).message).to.include('nested deeper')
  })

  it('are read or refused, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (messages, part) => {
        for (const body of [messages, { messages }, user(part), tool(Object(part) as object)]) {
          try {
            decodeUiRequest(JSON.parse(JSON.stringify(body)))
          } catch (error) {
            expect(HostError.is(error) && error.code).to.equal('REQUEST_INVALID')
          }
        }
      }),
    )
  })

  it('are answered with a status, and what was wrong, where they are refused', () => {
    const error = new HostError('REQUEST_INVALID', 'It is wrong.', { pointer: '/id' })
    expect(uiErrorAnswer(publicError(error.toJSON()))).to.deep.equal({
      status: 400,
      headers: {},
      body: { code: 'REQUEST_INVALID', message: 'It is wrong.', pointer: '/id' },
    })
  })
})
