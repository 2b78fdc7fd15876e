import { expect } from 'chai'
import fc from 'fast-check'
import type { Approval } from '../../../../src/agent/index.ts'
import { HostError } from '../../../../src/plugin/errors.ts'
import {
  a2aAnswersIn,
  a2aVersionIn,
  assertRpc,
  decodeA2aMessage,
  decodeRpc,
  rpcIdIn,
  taskIdIn,
  taskQueryIn,
} from '../../../../src/server/wire/a2a/index.ts'
import { propertyRuns } from '../../../helpers/cases.ts'
import { refusalOf } from '../protocol-suites.ts'

const MESSAGE = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] }
const OLD = {
  kind: 'message',
  messageId: 'm1',
  role: 'user',
  parts: [{ kind: 'text', text: 'Hi' }],
}

const decoded = (message: object, more: object = {}) =>
  decodeA2aMessage({ message: { ...MESSAGE, ...message }, ...more }, '1.0')
const old = (message: object, more: object = {}) =>
  decodeA2aMessage({ message: { ...OLD, ...message }, ...more }, '0.3')

function codeOf(act: () => unknown): string | undefined {
  try {
    act()
  } catch (error) {
    return HostError.is(error) ? error.code : 'no HostError'
  }
  return undefined
}

describe('messages of A2A', () => {
  it('have a text, in the context and the task that they name', () => {
    const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
    expect(decoded({ contextId: 'c', taskId: 't' })).to.deep.equal({
      conversationId: 'c',
      taskId: 't',
      message,
      messages: [message],
      data: [],
      isImmediate: false,
      settings: {},
      tools: [],
      approvals: [],
      isStreaming: false,
      ignored: [],
    })
    expect(decoded({ contextId: '', taskId: '' })).to.not.have.any.keys('conversationId', 'taskId')
  })

  it('have files and data, in the words of either version', () => {
    const parts = [
      { type: 'file', mediaType: 'image/png', data: 'AAAA', name: 'a.png' },
      { type: 'file', mediaType: 'image/webp', url: 'https://a.test/a.png' },
      { type: 'text', text: '{"a":1}' },
    ]
    const { message, data } = decoded({
      parts: [
        { raw: 'AAAA', mediaType: 'image/png', filename: 'a.png' },
        { url: 'https://a.test/a.png', mediaType: 'image/webp', filename: '' },
        { data: { a: 1 }, metadata: {} },
      ],
    })
    expect([message.parts, data]).to.deep.equal([parts, [{ a: 1 }]])
    const earlier = old({
      parts: [
        { kind: 'file', file: { bytes: 'AAAA', mimeType: 'image/png', name: 'a.png' } },
        { kind: 'file', file: { uri: 'https://a.test/a.png', mimeType: 'image/webp' } },
        { kind: 'data', data: { a: 1 } },
      ],
    })
    expect([earlier.message.parts, earlier.data]).to.deep.equal([parts, [{ a: 1 }]])
  })

  it('say whether the client waits, and what is not honored', () => {
    const configuration = {
      returnImmediately: true,
      historyLength: 3,
      acceptedOutputModes: ['a/b'],
    }
    const given = decoded({ mood: 'x' }, { configuration: { ...configuration, more: 1 }, extra: 2 })
    expect([given.isImmediate, given.ignored]).to.deep.equal([
      true,
      ['extra', 'mood', 'configuration.more'],
    ])
    expect(old({}, { configuration: { blocking: false } }).isImmediate).to.equal(true)
    expect(old({}, { configuration: { blocking: true } }).isImmediate).to.equal(false)
  })

  for (const [what, params, pointer, message] of [
    ['no message', {}, '/message', '"message" is missing.'],
    [
      'no id',
      { message: { ...MESSAGE, messageId: '' } },
      '/message/messageId',
      '"messageId" is empty; give a string.',
    ],
    [
      'the role of an agent',
      { message: { ...MESSAGE, role: 'ROLE_AGENT' } },
      '/message/role',
      '"role" must be one of ROLE_USER, user, not "ROLE_AGENT".',
    ],
    [
      'no role',
      { message: { ...MESSAGE, role: undefined } },
      '/message/role',
      '"role" must be ROLE_USER.',
    ],
    [
      'no parts',
      { message: { ...MESSAGE, parts: [] } },
      '/message/parts',
      '"parts" is empty; give at least one part.',
    ],
    [
      'an empty part',
      { message: { ...MESSAGE, parts: [{}] } },
      '/message/parts/0',
      'A part must have one of text, raw, url, data.',
    ],
    [
      'a part of two kinds',
      { message: { ...MESSAGE, parts: [{ text: 'a', url: 'b' }] } },
      '/message/parts/0',
      'A part must have one of text, raw, url, data.',
    ],
    [
      'a script',
      { message: { ...MESSAGE, parts: [{ url: 'javascript:1' }] } },
      '/message/parts/0/url',
      '"url" must be an https: address, or data: with base64.',
    ],
    [
      'a local file',
      { message: { ...MESSAGE, parts: [{ url: 'file:///etc/passwd' }] } },
      '/message/parts/0/url',
      '"url" must be an https: address, or data: with base64.',
    ],
    [
      'no base64',
      { message: { ...MESSAGE, parts: [{ raw: '%%' }] } },
      '/message/parts/0/raw',
      '"raw" is not valid base64.',
    ],
    [
      'an id with a line break',
      { message: { ...MESSAGE, contextId: 'a\nb' } },
      '/message/contextId',
      '"contextId" must not contain control characters.',
    ],
    [
      'a setting of the server',
      { message: MESSAGE, provider: 'x' },
      '/provider',
      '"provider" can be set on the server only. Leave it out.',
    ],
    [
      'a negative length',
      { message: MESSAGE, configuration: { historyLength: -1 } },
      '/configuration/historyLength',
      '"historyLength" must be a whole number of at least 0, not -1.',
    ],
  ] as const) {
    it(`are refused with ${what}`, () => {
      expect(refusalOf(() => decodeA2aMessage(params, '1.0'))).to.deep.equal({ pointer, message })
    })
  }

  for (const [what, message, pointer, told] of [
    ['no role', { ...OLD, role: null }, 'role', '"role" must be user.'],
    ['a part of no kind', { ...OLD, parts: [{}] }, 'parts/0/kind', '"kind" is missing.'],
    ['no file', { ...OLD, parts: [{ kind: 'file' }] }, 'parts/0/file', '"file" is missing.'],
    [
      'an empty file',
      { ...OLD, parts: [{ kind: 'file', file: {} }] },
      'parts/0/file/uri',
      '"uri" is missing; give a string.',
    ],
  ] as const) {
    it(`of version 0.3 are refused with ${what}`, () => {
      const refused = refusalOf(() => decodeA2aMessage({ message }, '0.3'))
      expect(refused).to.deep.equal({ pointer: `/message/${pointer}`, message: told })
    })
  }

  it('name where their task is posted to, in the form of either version', () => {
    const receiver = { url: 'https://a.test/hook', id: 'mine', token: 't' }
    const read = (version: '1.0' | '0.3', configuration: object) => {
      const role = version === '1.0' ? 'ROLE_USER' : 'user'
      const parts = [{ kind: 'text', text: 'hi' }]
      const message = { messageId: 'm', role, parts }
      return decodeA2aMessage({ message, configuration }, version).notification
    }
    const auth = { scheme: 'Bearer', credentials: 'secret' }
    const expected = { ...receiver, ...auth }
    const given = { taskPushNotificationConfig: { ...receiver, authentication: auth } }
    expect(read('1.0', given)).to.deep.equal({ ...expected, version: '1.0' })
    const authentication = { schemes: ['Bearer'], credentials: 'secret' }
    const old = { pushNotificationConfig: { ...receiver, authentication } }
    expect(read('0.3', old)).to.deep.equal({ ...expected, version: '0.3' })
    for (const [wrong, pointer] of [
      [{ token: 't' }, 'url'],
      [{ ...receiver, token: 'a\r\nx: y' }, 'token'],
      [{ ...receiver, authentication: { ...auth, scheme: 'a b' } }, 'authentication/scheme'],
      [{ ...receiver, id: 'x'.repeat(201) }, 'id'],
    ] as const) {
      const refused = refusalOf(() => read('1.0', { taskPushNotificationConfig: wrong }))
      const place = `/configuration/taskPushNotificationConfig/${pointer}`
      expect(refused.pointer).to.equal(place)
    }
  })

  it('of any JSON are requests or typed errors, in either version', () => {
    const part = fc.oneof(fc.jsonValue(), fc.record({ text: fc.jsonValue(), kind: fc.jsonValue() }))
    const message = fc.record(
      {
        messageId: fc.jsonValue(),
        role: fc.constantFrom('user', 'ROLE_USER', 1),
        parts: fc.array(part),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ message })), (params) => {
        for (const version of ['1.0', '0.3'] as const) {
          const code = codeOf(() => decodeA2aMessage(params, version))
          expect(code).to.be.oneOf([undefined, 'REQUEST_INVALID'])
        }
      }),
      { numRuns: propertyRuns(1000) },
    )
  })
})

describe('answers of A2A', () => {
  const approval = (id: string, more: Partial<Approval> = {}): Approval => ({
    id,
    owner: 'o',
    runId: 'r',
    callId: `call-${id}`,
    tool: 'rm',
    input: {},
    binding: '',
    requestedAt: 0,
    expiresAt: 1,
    ...more,
  })
  const pointer = '/message/parts'
  const answers = (parts: readonly object[], ...open: readonly Approval[]) =>
    a2aAnswersIn(decoded({ parts }), open)
  const text = (words: string, ...open: readonly Approval[]) => answers([{ text: words }], ...open)

  it('are yes or no, in a few words', () => {
    for (const yes of ['yes', ' Yes. ', 'approve', 'OK']) {
      expect(text(yes, approval('a'))).to.deep.equal([{ approvalId: 'a', approved: true, pointer }])
    }
    for (const no of ['no', 'No!', 'denied']) {
      expect(text(no, approval('a'))).to.deep.equal([{ approvalId: 'a', approved: false, pointer }])
    }
    expect(refusalOf(() => text('yes, but not now', approval('a'))).message).to.include(
      '"yes" or "no"',
    )
  })

  it('are the text itself, or its JSON, where it is a question', () => {
    const question = (input: object) => approval('a', { isQuestion: true, input })
    expect(text('7', question({ question: 'Why?' }))).to.deep.equal([
      { approvalId: 'a', approved: true, value: '7', pointer },
    ])
    expect(
      text('7', question({ question: 'How many?', schema: { type: 'integer' } })),
    ).to.deep.equal([{ approvalId: 'a', approved: true, value: 7, pointer }])
  })

  it('are data with the ids of the approvals, or without where one is open', () => {
    const approvals = [
      { approvalId: 'a', approved: false, reason: 'No.' },
      { approvalId: 'b', answer: 'red' },
    ]
    expect(answers([{ data: { approvals } }], approval('a'), approval('b'))).to.deep.equal([
      { approvalId: 'a', approved: false, reason: 'No.', pointer },
      { approvalId: 'b', approved: true, value: 'red', pointer },
    ])
    expect(answers([{ text: 'so' }, { data: { approved: true } }], approval('a'))).to.deep.equal([
      { approvalId: 'a', approved: true, pointer },
    ])
  })

  it('name which of several they mean', () => {
    const both = [approval('a'), approval('b')]
    expect(refusalOf(() => text('yes', ...both)).message)
      .to.include('2 answers')
      .and.include('"b"')
    expect(refusalOf(() => answers([{ data: { approved: true } }], ...both)).pointer).to.equal(
      '/message/parts/approvalId',
    )
    expect(
      refusalOf(() => answers([{ data: { approvals: [{}] } }], approval('a'))).message,
    ).to.include('"approved" must be true or false')
  })

  it('take no edited arguments', () => {
    const edited = { data: { approved: true, input: { amount: 10 } } }
    expect(refusalOf(() => answers([edited], approval('a'))).message).to.include(
      '"input" is unknown here',
    )
  })
})

describe('JSON-RPC of A2A', () => {
  it('has the methods of both versions', () => {
    const request = (method: string) => decodeRpc({ method, params: { id: 't' } })
    const params = { id: 't' }
    expect(request('SendStreamingMessage')).to.deep.equal({
      operation: 'stream',
      version: '1.0',
      params,
    })
    expect(request('tasks/resubscribe')).to.deep.equal({
      operation: 'subscribe',
      version: '0.3',
      params,
    })
    expect(codeOf(() => request('tasks/delete'))).to.equal('METHOD_UNKNOWN')
    expect(codeOf(() => decodeRpc({ method: 'GetTask', params: [] }))).to.equal('REQUEST_INVALID')
  })

  it('has one request in a body, of version 2.0', () => {
    const valid = { jsonrpc: '2.0', id: 1, method: 'GetTask' }
    expect(codeOf(() => assertRpc(valid))).to.equal(undefined)
    for (const wrong of [
      [valid],
      null,
      { ...valid, jsonrpc: '1.0' },
      { ...valid, id: {} },
      { ...valid, id: 1.5 },
      { ...valid, method: '' },
      { ...valid, method: 7 },
    ]) {
      expect(
        codeOf(() => assertRpc(wrong)),
        JSON.stringify(wrong),
      ).to.equal('REQUEST_INVALID')
    }
    expect([
      rpcIdIn({ id: 'a' }),
      rpcIdIn({ id: 0 }),
      rpcIdIn({ id: {} }),
      rpcIdIn([]),
    ]).to.deep.equal(['a', 0, null, null])
  })

  it('is of a version that the server speaks, whatever the patch', () => {
    expect(['1.0', '1.0.3', '0.3', ' 0.3.0 ', '', undefined, null].map(a2aVersionIn)).to.deep.equal(
      ['1.0', '1.0', '0.3', '0.3', undefined, undefined, undefined],
    )
    for (const other of ['0.2', '1.1', '2.0', '10.0', 'latest']) {
      expect(
        codeOf(() => a2aVersionIn(other)),
        other,
      ).to.equal('VERSION_UNSUPPORTED')
    }
  })
})

describe('questions about tasks', () => {
  it('have an id, or what a list is to have', () => {
    expect(taskIdIn({ id: 't', historyLength: 1 })).to.equal('t')
    expect(refusalOf(() => taskIdIn({})).pointer).to.equal('/id')
    expect(taskQueryIn({ contextId: 'c', status: 'TASK_STATE_UNSPECIFIED' })).to.deep.equal({
      contextId: 'c',
      state: undefined,
      pageSize: 50,
      pageToken: undefined,
      hasArtifacts: false,
    })
    const asked = { pageSize: '2', pageToken: 'p', includeArtifacts: 'true' }
    const status = 'TASK_STATE_REJECTED'
    expect(taskQueryIn({ ...asked, status })).to.deep.equal({
      contextId: undefined,
      state: status,
      pageSize: 2,
      pageToken: 'p',
      hasArtifacts: true,
    })
    for (const state of ['S', 'completed', 'TASK_STATE']) {
      expect(refusalOf(() => taskQueryIn({ status: state })).pointer).to.equal('/status')
    }
    for (const pageSize of [0, 101, 1.5, 'many', {}]) {
      expect(refusalOf(() => taskQueryIn({ pageSize })).pointer).to.equal('/pageSize')
    }
  })
})
