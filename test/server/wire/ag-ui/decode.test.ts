import { expect } from 'chai'
import fc from 'fast-check'
import { HostError } from '../../../../src/core/index.ts'
import {
  type AgUiRequest,
  agUiErrorAnswer,
  decodeAgUiRequest,
} from '../../../../src/server/wire/ag-ui/index.ts'
import { publicError } from '../../../../src/server/wire/public-error.ts'

const INPUT = {
  threadId: 'thread-1',
  runId: 'run-1',
  state: {},
  tools: [],
  context: [],
  forwardedProps: {},
}
const HELLO = { id: 'u1', role: 'user', content: 'Hello' }

function decoded(messages: readonly object[], more: object = {}): AgUiRequest {
  return decodeAgUiRequest({ ...INPUT, messages, ...more })
}

function refusal(body: unknown): {
  readonly pointer: string | undefined
  readonly message: string
} {
  try {
    decodeAgUiRequest(body)
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'REQUEST_INVALID') throw error
    return { pointer: error.pointer, message: error.message }
  }
  throw new Error('It was taken.')
}

function call(id: string, args: string, more: object = {}): object {
  return { id, type: 'function', function: { name: 'add', arguments: args }, ...more }
}

describe('requests of AG-UI', () => {
  it('bring the thread, the run and the messages', () => {
    const { kept, ...request } = decoded([HELLO])
    expect(kept.has('u1')).to.equal(true)
    expect(request).to.deep.equal({
      conversationId: 'thread-1',
      clientRunId: 'run-1',
      isBefore1: true,
      messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      settings: {},
      tools: [],
      isStreaming: true,
      approvals: [],
      ignored: [],
    })
  })

  it('say their version from 1.0 on', () => {
    expect(decoded([HELLO], { protocolVersion: '1.0' })).to.include({ isBefore1: false })
  })

  it('bring an agent and settings in what is forwarded, and say what is not honored', () => {
    const { agent, settings, ignored } = decoded([HELLO], {
      forwardedProps: { agent: 'fast', temperature: 1, theme: 'dark' },
      state: { count: 1 },
      parentRunId: 'p',
    })
    expect({ agent, settings, ignored }).to.deep.equal({
      agent: 'fast',
      settings: { temperature: 1 },
      ignored: ['state', 'parentRunId', 'forwardedProps.theme'],
    })
  })

  it('name no model: what answers is an agent', () => {
    const refused = refusal({ ...INPUT, messages: [HELLO], forwardedProps: { model: 'fast' } })
    expect(refused.pointer).to.equal('/forwardedProps/model')
    expect(refused.message).to.include('"agent"')
  })

  it('are one message for what an assistant thinks, says and calls, and one for the results', () => {
    const { messages } = decoded([
      HELLO,
      { id: 'r1', role: 'reasoning', content: 'Hm', encryptedValue: '{"anthropic":{"s":1}}' },
      { id: 'a1', role: 'assistant', content: 'Let me see.', toolCalls: [call('c1', '{"a":1}')] },
      { id: 'a2', role: 'assistant', toolCalls: [call('c2', 'no json')] },
      { id: 'v1', role: 'activity', activityType: 'plan', content: {} },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: '2' },
      { id: 't2', role: 'tool', toolCallId: 'c2', content: '', error: 'No.' },
      { id: 'a3', role: 'assistant', content: '2' },
    ])
    expect(messages.slice(1)).to.deep.equal([
      {
        id: 'a1',
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm', providerMetadata: { anthropic: { s: 1 } } },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool-call', callId: 'c1', name: 'add', input: { a: 1 } },
          { type: 'tool-call', callId: 'c2', name: 'add', input: 'no json' },
        ],
      },
      {
        id: 't1',
        role: 'tool',
        parts: [
          { type: 'tool-result', callId: 'c1', name: 'add', output: '2' },
          { type: 'tool-result', callId: 'c2', name: 'add', output: 'No.', isError: true },
        ],
      },
      { id: 'a3', role: 'assistant', parts: [{ type: 'text', text: '2' }] },
    ])
  })

  it('are no message for an assistant that says nothing', () => {
    const { messages } = decoded([HELLO, { id: 'a1', role: 'assistant', content: '' }, HELLO])
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'user'])
  })

  it("keep a provider's own calls and their results together", () => {
    const own = call('c1', '{}', { metadata: { providerExecuted: true } })
    const { messages } = decoded([
      { id: 'a1', role: 'assistant', toolCalls: [own] },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: 'found' },
      { id: 'a2', role: 'assistant', content: 'Here.' },
    ])
    expect(messages.map(({ parts }) => parts.map(({ type }) => type))).to.deep.equal([
      ['tool-call', 'tool-result', 'text'],
    ])
  })

  it('bring files by value and by address, also as clients before 1.0 did', () => {
    const data = { type: 'data', value: 'aGk=', mimeType: 'image/png' }
    const url = { type: 'url', value: 'https://a.test/b', mimeType: 'application/pdf' }
    const { messages } = decoded([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', source: data },
          { type: 'document', source: url },
          { type: 'binary', mimeType: 'text/plain', data: 'aGk=', filename: 'a.txt' },
        ],
      },
    ])
    expect(messages[0]?.parts).to.deep.equal([
      { type: 'text', text: 'See' },
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.test/b' },
      { type: 'file', mediaType: 'text/plain', data: 'aGk=', name: 'a.txt' },
    ])
  })

  it('bring files without a media type, such as a Makefile', () => {
    const data = { type: 'data', value: 'aGk=', mimeType: '' }
    const url = { type: 'url', value: 'https://a.test/b.png', mimeType: '' }
    const content = [
      { type: 'document', source: data },
      { type: 'document', source: url },
      { type: 'binary', mimeType: '', data: 'aGk=' },
    ]
    const { messages } = decoded([{ role: 'user', content }])
    const unknown = { type: 'file', mediaType: 'application/octet-stream', data: 'aGk=' }
    const { value } = url
    const named = { type: 'file', mediaType: 'image/png', url: value }
    expect(messages[0]?.parts).to.deep.equal([unknown, named, unknown])
  })

  it('may repeat a result, of which the first counts', () => {
    const called = { id: 'a', role: 'assistant', toolCalls: [call('c1', '{}')] }
    const result = (id: string, content: string) => ({
      id,
      role: 'tool',
      toolCallId: 'c1',
      content,
    })
    const { messages } = decoded([HELLO, called, result('t1', '3'), result('t1', '3')])
    const changed = decoded([HELLO, called, result('t1', '3'), result('t2', '4'), HELLO])
    expect(messages.at(-1)?.parts).to.have.length(1)
    expect(changed.messages.slice(0, -1)).to.deep.equal(messages)
    const twice = decoded([HELLO, called, result('t1', '3'), called, result('t2', '4')])
    expect(twice.messages.at(-1)?.parts[0]).to.include({ output: '4' })
  })

  it('say what the app tells of the moment before what the user says last', () => {
    const context = [
      { description: 'Page', value: '/map' },
      { description: 'Time', value: 'noon' },
    ]
    const { messages } = decoded([HELLO, { ...HELLO, id: 'u2' }], { context })
    expect(messages.map(({ parts }) => parts.length)).to.deep.equal([1, 2])
    expect(messages[1]?.parts[0]).to.deep.equal({
      type: 'text',
      text: 'Context from the application:\n\nPage:\n/map\n\nTime:\nnoon',
      providerMetadata: { 'ag-ui': { context: true } },
    })
  })

  it('answer interrupts: what is not said to be approved is not', () => {
    const resume = [
      { interruptId: 'a', status: 'resolved', payload: { approved: true } },
      { interruptId: 'b', status: 'resolved', payload: { approved: false, reason: 'No.' } },
      { interruptId: 'c', status: 'cancelled' },
      { interruptId: 'd', status: 'resolved', payload: { answer: 'red' } },
    ]
    expect(decoded([], { resume }).approvals).to.deep.equal([
      { approvalId: 'a', approved: true, pointer: '/resume/0' },
      { approvalId: 'b', approved: false, reason: 'No.', pointer: '/resume/1' },
      { approvalId: 'c', approved: false, pointer: '/resume/2' },
      { approvalId: 'd', approved: true, value: 'red', pointer: '/resume/3/payload/answer' },
    ])
  })

  const one = (message: object) => ({ ...INPUT, messages: [message] })
  const part = (content: object) => one({ role: 'user', content: [content] })
  const file = (source: object) => part({ type: 'image', source })
  const resume = (entry: object) => ({ ...INPUT, messages: [HELLO], resume: [entry] })
  const HOSTILE: readonly (readonly [
    what: string,
    body: unknown,
    pointer: string,
    message: string,
  ])[] = [
    ['no object', null, '', 'The body must be a JSON object.'],
    [
      'no thread',
      { ...INPUT, threadId: undefined, messages: [HELLO] },
      '/threadId',
      '"threadId" is missing; give a string.',
    ],
    [
      'no run',
      { ...INPUT, runId: 5, messages: [HELLO] },
      '/runId',
      '"runId" must be a string, not 5.',
    ],
    [
      'nothing to answer',
      { ...INPUT, messages: [] },
      '/messages',
      '"messages" is empty; give at least one message.',
    ],
    [
      'no role',
      one({ content: 'x' }),
      '/messages/0/role',
      '"role" is missing; it must be one of user, assistant, tool, system, developer, reasoning, activity.',
    ],
    [
      'a role that is none',
      one({ role: 'root', content: 'x' }),
      '/messages/0/role',
      '"role" must be one of user, assistant, tool, system, developer, reasoning, activity, not "root".',
    ],
    [
      'a content that is none',
      one({ role: 'user', content: 5 }),
      '/messages/0/content',
      '"content" must be a string or a list, not 5.',
    ],
    [
      'a part without a type',
      part({ text: 'x' }),
      '/messages/0/content/0/type',
      '"type" is missing.',
    ],
    [
      'a part that is none',
      part({ type: 'hologram' }),
      '/messages/0/content/0/type',
      '"type" must be one of text, image, audio, video, document, binary, not "hologram".',
    ],
    [
      'a script for an address',
      file({ type: 'url', value: 'javascript:x' }),
      '/messages/0/content/0/source/value',
      '"value" must be an https: address, or data: with base64.',
    ],
    [
      'a file of another type',
      file({ type: 'data', value: 'aGk=', mimeType: 'text/html' }),
      '/messages/0/content/0/source/value',
      '"value" has the media type "text/html", but must have image/….',
    ],
    [
      "a provider's own file",
      file({ type: 'file', value: 'file-1' }),
      '/messages/0/content/0/source/type',
      '"type" names a file stored by a provider, which this server cannot read.',
    ],
    [
      'a result of no call',
      one({ role: 'tool', toolCallId: 'c', content: '' }),
      '/messages/0/toolCallId',
      '"toolCallId" must be the id of an earlier call that has no result yet.',
    ],
    [
      'a call of nothing',
      one({ role: 'assistant', toolCalls: [{ id: 'c' }] }),
      '/messages/0/toolCalls/0/function',
      '"function" is missing.',
    ],
    [
      'two tools of one name',
      { ...INPUT, messages: [HELLO], tools: [{ name: 'a' }, { name: 'a' }] },
      '/tools/1/name',
      '"name" is already the name of an earlier tool.',
    ],
    [
      'an answer without a status',
      resume({ interruptId: 'a' }),
      '/resume/0/status',
      '"status" is missing.',
    ],
    [
      'an answer that does not say yes or no',
      resume({ interruptId: 'a', status: 'resolved' }),
      '/resume/0/payload',
      '"payload" must be {"approved": true}, {"approved": false} or {"answer": …}.',
    ],
    [
      'an answer with edited arguments',
      resume({
        interruptId: 'a',
        status: 'resolved',
        payload: { approved: true, editedArgs: { amount: 10 } },
      }),
      '/resume/0/payload/editedArgs',
      '"editedArgs" is unknown here. Known fields: answer, reason, approved.',
    ],
    [
      'a provider',
      { ...INPUT, messages: [HELLO], provider: 'x' },
      '/provider',
      '"provider" can be set on the server only. Leave it out.',
    ],
    [
      'a secret that is forwarded',
      { ...INPUT, messages: [HELLO], forwardedProps: { apiKey: 'x' } },
      '/forwardedProps/apiKey',
      '"apiKey" can be set on the server only. Leave it out.',
    ],
    [
      'a key that reaches a prototype',
      JSON.parse('{"threadId":"t","__proto__":{}}'),
      '/__proto__',
      'The body cannot be read: the key "__proto__" is not allowed.',
    ],
  ]
  for (const [what, body, pointer, message] of HOSTILE) {
    it(`are refused with ${what}`, () => {
      expect(refusal(body)).to.deep.equal({ pointer, message })
    })
  }

  it('are read or refused, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (messages, value, text) => {
        const opened = { role: 'reasoning', content: '', encryptedValue: text }
        const bodies = [
          messages,
          { ...INPUT, messages },
          part(Object(value) as object),
          one(opened),
        ]
        for (const body of bodies) {
          try {
            decodeAgUiRequest(JSON.parse(JSON.stringify(body)))
          } catch (error) {
            expect(HostError.is(error) && error.code).to.equal('REQUEST_INVALID')
          }
        }
      }),
    )
  })

  it('take no prototype out of what a client gives back', () => {
    const encryptedValue = '{"__proto__":{"admin":true}}'
    const { messages } = decoded([{ role: 'reasoning', content: 'x', encryptedValue }])
    expect(messages[0]?.parts).to.deep.equal([{ type: 'reasoning', text: 'x' }])
  })

  it('are answered with a status, and what was wrong, where they are refused', () => {
    const error = new HostError('CONVERSATION_BUSY', 'Wait.', { retryAfter: 2 })
    expect(agUiErrorAnswer(publicError(error.toJSON()))).to.deep.equal({
      status: 409,
      headers: { 'retry-after': '2' },
      body: { type: 'RUN_ERROR', message: 'Wait.', code: 'CONVERSATION_BUSY' },
    })
  })
})
