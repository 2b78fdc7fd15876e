import { expect } from 'chai'
import type { MessageInput, PartInput, ToolOutputInput } from '../../src/ai-sdk/call-types.ts'
import type { Message, Part } from '../../src/core/index.ts'
import { askedOf } from './asking.ts'

const QUESTION: MessageInput = { role: 'user', content: [{ type: 'text', text: 'Hello' }] }
const own = (values: object) => ({ providerOptions: { braidwork: { ...values } } })
const signed = { providerMetadata: { p: { signature: 's' } } }
const PNG = 'iVBORw0KGgo='

/** The messages that the provider gets for these, after the question. */
async function readOf(...messages: MessageInput[]): Promise<readonly Message[]> {
  const { messages: read } = await askedOf({ prompt: [QUESTION, ...messages] })
  return read.slice(1)
}

/** A call of the AI SDK, its result, and the question that follows. */
const answered = (output: ToolOutputInput): MessageInput[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 'x' } }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'search', output }],
  },
]

describe('a prompt of the AI SDK', () => {
  const FILES: readonly (readonly [title: string, given: PartInput, read: Part])[] = [
    [
      'bytes',
      { type: 'file', data: new Uint8Array([1, 2]), mediaType: 'image/png' },
      { type: 'file', mediaType: 'image/png', data: 'AQI=' },
    ],
    [
      'base64 of the versions before 7',
      { type: 'file', data: PNG, mediaType: 'image/*', filename: 'a.png' },
      { type: 'file', mediaType: 'image/png', data: PNG, name: 'a.png' },
    ],
    [
      'tagged base64',
      { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image' },
      { type: 'file', mediaType: 'image/png', data: PNG },
    ],
    [
      'an address',
      { type: 'file', data: new URL('https://a.test/x'), mediaType: 'image/*' },
      { type: 'file', mediaType: 'image/*', url: 'https://a.test/x' },
    ],
    [
      'a tagged address',
      {
        type: 'file',
        data: { type: 'url', url: new URL('https://a.test/x') },
        mediaType: 'image/png',
      },
      { type: 'file', mediaType: 'image/png', url: 'https://a.test/x' },
    ],
    [
      'an address that has the content',
      { type: 'file', data: new URL(`data:image/png;base64,${PNG}`), mediaType: 'image/png' },
      { type: 'file', mediaType: 'image/png', data: PNG },
    ],
    [
      'text',
      { type: 'file', data: { type: 'text', text: 'é' }, mediaType: 'text/plain' },
      { type: 'file', mediaType: 'text/plain', data: 'w6k=' },
    ],
  ]

  for (const [title, given, read] of FILES) {
    it(`keeps a file: ${title}`, async () => {
      const [message] = await readOf({ role: 'user', content: [given] })
      expect(message?.parts).to.deep.equal([read])
    })
  }

  const REFUSED: readonly (readonly [title: string, given: PartInput])[] = [
    [
      'that is uploaded elsewhere',
      { type: 'file', data: { type: 'reference', reference: { p: 'f1' } }, mediaType: 'image/png' },
    ],
    ['of an unknown kind', { type: 'file', data: 'AQI=', mediaType: 'image/*' }],
    ['of another kind than it says', { type: 'file', data: PNG, mediaType: 'audio/*' }],
  ]

  for (const [title, given] of REFUSED) {
    it(`is refused with a file ${title}`, async () => {
      const thrown: unknown = await readOf({ role: 'user', content: [given] }).catch(
        (error: unknown) => error,
      )
      expect(thrown).to.include({ name: 'AI_UnsupportedFunctionalityError' })
    })
  }

  const OUTPUTS: readonly (readonly [given: ToolOutputInput, read: object])[] = [
    [{ type: 'text', value: 'sunny' }, { output: 'sunny' }],
    [{ type: 'json', value: { c: 21 } }, { output: { c: 21 } }],
    [
      { type: 'error-text', value: 'no' },
      { output: 'no', isError: true },
    ],
    [
      { type: 'error-json', value: { code: 1 } },
      { output: { code: 1 }, isError: true },
    ],
    [
      { type: 'execution-denied', reason: 'not now' },
      { output: 'not now', isError: true },
    ],
    [{ type: 'execution-denied' }, { output: 'The call was refused.', isError: true }],
  ]

  for (const [given, read] of OUTPUTS) {
    it(`keeps the output of a tool: ${JSON.stringify(given)}`, async () => {
      const [, message] = await readOf(...answered(given))
      const result = { type: 'tool-result', callId: 'c1', name: 'search', ...read }
      expect(message).to.deep.equal({ role: 'tool', parts: [result] })
    })
  }

  class Row {
    id = 1
  }
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown
  /** Values of programs, each with what a model API is sent for it by the AI SDK's own providers. */
  const VALUES: readonly (readonly [what: string, given: unknown, read: unknown])[] = [
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date in it', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an instance of a class', { row: new Row() }, { row: { id: 1 } }],
    ['an address', { at: new URL('http://localhost/a') }, { at: 'http://localhost/a' }],
    ['a map', { all: new Map([['a', 1]]) }, { all: {} }],
    ['bytes', { all: Buffer.from('x') }, { all: { type: 'Buffer', data: [120] } }],
    ['undefined in a list', [undefined, 1], [null, 1]],
    ['undefined', undefined, null],
    ['a function', () => 1, null],
    ['a number that JSON does not know', { n: Number.NaN }, { n: null }],
    ['a bigint', { n: 10n }, { n: '10' }],
    ['a key "__proto__"', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['too many levels', deep, JSON.stringify(deep)],
  ]

  for (const [what, given, read] of VALUES) {
    it(`makes JSON of the output of a tool that is or has ${what}`, async () => {
      const [, message] = await readOf(...answered({ type: 'json', value: given }))
      expect(message?.parts[0]).to.have.deep.property('output', read)
      const [, failed] = await readOf(...answered({ type: 'error-json', value: given }))
      expect(failed?.parts[0]).to.deep.include({ output: read, isError: true })
    })
  }

  it('has an error for an output of a tool that contains itself', async () => {
    const [, message] = await readOf(...answered({ type: 'json', value: cyclic }))
    expect(message?.parts[0]).to.include({ isError: true })
    expect(message?.parts[0]).to.have.property('output').that.includes('its output is not JSON')
  })

  it('makes JSON of the input of a call, of which a schema may have made a date', async () => {
    const input = { on: new Date(0) }
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input } as const
    const [, { content }] = answered({ type: 'text', value: 'x' }) as [unknown, MessageInput]
    const [message] = await readOf(
      { role: 'assistant', content: [call] },
      { role: 'tool', content: content as readonly PartInput[] },
    )
    expect(message?.parts[0]).to.deep.include({ input: { on: '1970-01-01T00:00:00.000Z' } })
  })

  const ITEMS = [
    { type: 'media', data: PNG, mediaType: 'image/png' },
    { type: 'image-data', data: PNG, mediaType: 'image/png' },
    { type: 'file-data', data: PNG, mediaType: 'image/png' },
    { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image/png' },
  ] as const

  for (const item of ITEMS) {
    it(`keeps texts and files of an output: ${item.type}`, async () => {
      const value = [{ type: 'text', text: 'a map' }, item]
      const [, message] = await readOf(...answered({ type: 'content', value }))
      const [result] = message?.parts ?? []
      expect(result).to.have.deep.property('output', [
        { type: 'text', text: 'a map' },
        { type: 'file', mediaType: 'image/png', data: PNG },
      ])
    })
  }

  for (const type of ['file-url', 'image-url']) {
    it(`keeps the address of a file of an output: ${type}`, async () => {
      const value = [{ type, url: 'https://a.test/x', mediaType: 'image/png' }]
      const [, message] = await readOf(...answered({ type: 'content', value }))
      const file = { type: 'file', mediaType: 'image/png', url: 'https://a.test/x' }
      expect(message?.parts[0]).to.have.deep.property('output', [file])
    })
  }

  it('brings back what an answer had: texts, signed reasoning, hosted calls and data', async () => {
    const data = { name: 'chart', data: { bars: 3 } }
    const [message] = await readOf({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', ...own({ p: { signature: 's' } }) },
        { type: 'text', text: 'fine', ...own({ p: { id: 1 } }) },
        { type: 'tool-call', toolCallId: 'h', toolName: 'web', input: {}, providerExecuted: true },
        {
          type: 'tool-result',
          toolCallId: 'h',
          toolName: 'web',
          output: { type: 'json', value: [1] },
          ...own({ p: { signature: 's' } }),
        },
        { type: 'custom', kind: 'braidwork.data', ...own({ data }) },
      ],
    })
    const hosted = { callId: 'h', name: 'web', providerExecuted: true }
    expect(message?.parts).to.deep.equal([
      { type: 'reasoning', text: '', ...signed },
      { type: 'text', text: 'fine', providerMetadata: { p: { id: 1 } } },
      { type: 'tool-call', input: {}, ...hosted },
      { type: 'tool-result', output: [1], ...hosted, ...signed },
      { type: 'data', ...data },
    ])
  })

  it('keeps the instructions of the system', async () => {
    const { messages } = await askedOf({
      prompt: [{ role: 'system', content: 'Be brief.' }, QUESTION],
    })
    expect(messages[0]).to.deep.equal({
      role: 'system',
      parts: [{ type: 'text', text: 'Be brief.' }],
    })
  })

  it('passes over options of other providers', async () => {
    const providerOptions = { openai: { itemId: 'rs_1' } }
    const [message] = await readOf({
      role: 'assistant',
      content: [{ type: 'text', text: 'fine', providerOptions }],
    })
    expect(message?.parts).to.deep.equal([{ type: 'text', text: 'fine' }])
  })

  it('is used without the parts that have no counterpart, with a warning', async () => {
    const { messages, warnings } = await askedOf({
      prompt: [
        QUESTION,
        { role: 'assistant', content: [{ type: 'custom', kind: 'xai.video' }] },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a' }] },
      ],
    })
    expect(messages.length).to.equal(1)
    expect(warnings).to.deep.equal([
      { type: 'unsupported', feature: 'part of the prompt: custom' },
      { type: 'unsupported', feature: 'part of the prompt: tool-approval-response' },
    ])
  })
})
