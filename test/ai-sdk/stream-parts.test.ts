import { expect } from 'chai'
import { partsOf, resultOf, text } from './asking.ts'

const START = { type: 'stream-start', warnings: [] }
const NOTHING = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const finish = (unified: string, usage: object = NOTHING) => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage,
})
const call = (more: object = {}) => [
  { type: 'tool-call-start', id: 'c1', name: 'search', ...more },
  { type: 'tool-call-delta', id: 'c1', delta: '{"q":' },
  { type: 'tool-call-delta', id: 'c1', delta: '"x"}' },
  { type: 'tool-call-end', id: 'c1', input: { q: 'x' }, ...more },
]
const called = { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: '{"q":"x"}' }
const HOSTED = { providerExecuted: true, dynamic: true }

interface Case {
  readonly title: string
  readonly events: readonly object[]
  /** The parts between the start and the ending. */
  readonly parts: readonly object[]
  readonly content: readonly object[]
  readonly reason?: string
}

const CASES: readonly Case[] = [
  {
    title: 'text',
    events: text('fine'),
    parts: text('fine'),
    content: [{ type: 'text', text: 'fine' }],
  },
  {
    title: 'reasoning with the metadata of the provider',
    events: [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { signature: 's' } } },
    ],
    parts: [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      {
        type: 'reasoning-end',
        id: 'r',
        providerMetadata: { braidwork: { p: { signature: 's' } } },
      },
    ],
    content: [
      {
        type: 'reasoning',
        text: 'hm',
        providerMetadata: { braidwork: { p: { signature: 's' } } },
      },
    ],
  },
  {
    title: 'a call for the program',
    events: call(),
    parts: [
      { type: 'tool-input-start', id: 'c1', toolName: 'search' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"q":' },
      { type: 'tool-input-delta', id: 'c1', delta: '"x"}' },
      { type: 'tool-input-end', id: 'c1' },
      called,
    ],
    content: [called],
    reason: 'tool-calls',
  },
  {
    title: 'arguments that are no JSON, as the text that they are',
    events: [
      { type: 'tool-call-start', id: 'c1', name: 'search' },
      { type: 'tool-call-delta', id: 'c1', delta: '{"q' },
      { type: 'tool-call-end', id: 'c1', input: '{"q' },
    ],
    parts: [
      { type: 'tool-input-start', id: 'c1', toolName: 'search' },
      { type: 'tool-input-delta', id: 'c1', delta: '{"q' },
      { type: 'tool-input-end', id: 'c1' },
      { ...called, input: '{"q' },
    ],
    content: [{ ...called, input: '{"q' }],
    reason: 'tool-calls',
  },
  {
    title: 'a call that the provider ran, and its result',
    events: [
      ...call({ providerExecuted: true }),
      {
        type: 'tool-result',
        callId: 'c1',
        name: 'search',
        output: [1],
        isError: true,
        providerExecuted: true,
      },
    ],
    parts: [
      { type: 'tool-input-start', id: 'c1', toolName: 'search', ...HOSTED },
      { type: 'tool-input-delta', id: 'c1', delta: '{"q":' },
      { type: 'tool-input-delta', id: 'c1', delta: '"x"}' },
      { type: 'tool-input-end', id: 'c1' },
      { ...called, ...HOSTED },
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'search',
        result: [1],
        isError: true,
        ...HOSTED,
      },
    ],
    content: [
      { ...called, ...HOSTED },
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'search',
        result: [1],
        isError: true,
        ...HOSTED,
      },
    ],
  },
  {
    title: 'files by content and by address',
    events: [
      { type: 'file', mediaType: 'image/png', data: 'aGk=' },
      { type: 'file', mediaType: 'image/png', url: 'https://files.test/a.png' },
    ],
    parts: [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'url', url: new URL('https://files.test/a.png') },
      },
    ],
    content: [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'url', url: new URL('https://files.test/a.png') },
      },
    ],
  },
  {
    title: 'sources: pages and documents',
    events: [
      { type: 'source', url: 'https://a.test/', title: 'A' },
      { type: 'source', title: 'Notes' },
    ],
    parts: [
      { type: 'source', sourceType: 'url', id: 'source-0', url: 'https://a.test/', title: 'A' },
      {
        type: 'source',
        sourceType: 'document',
        id: 'source-1',
        mediaType: 'text/plain',
        title: 'Notes',
      },
    ],
    content: [
      { type: 'source', sourceType: 'url', id: 'source-0', url: 'https://a.test/', title: 'A' },
      {
        type: 'source',
        sourceType: 'document',
        id: 'source-1',
        mediaType: 'text/plain',
        title: 'Notes',
      },
    ],
  },
  {
    title: 'data of a plugin',
    events: [{ type: 'data', name: 'chart', data: { bars: 3 } }],
    parts: [
      {
        type: 'custom',
        kind: 'braidwork.data',
        providerMetadata: { braidwork: { data: { name: 'chart', data: { bars: 3 } } } },
      },
    ],
    content: [
      {
        type: 'custom',
        kind: 'braidwork.data',
        providerMetadata: { braidwork: { data: { name: 'chart', data: { bars: 3 } } } },
      },
    ],
  },
]

describe('the answers of asLanguageModel', () => {
  for (const { title, events, parts, content, reason = 'stop' } of CASES) {
    it(`stream ${title}`, async () => {
      expect(await partsOf(events)).to.deep.equal([START, ...parts, finish(reason)])
    })

    it(`have ${title}`, async () => {
      const result = await resultOf(events)
      expect(result.content).to.deep.equal(content)
      expect(result.finishReason).to.deep.equal({ unified: reason, raw: undefined })
    })
  }

  it('tell the tokens, the reason, the id and the model', async () => {
    const usage = {
      input: 10,
      output: 7,
      reasoning: 2,
      cacheRead: 3,
      cacheWrite: 1,
      raw: { in: 10 },
    }
    const metadata = { finishReason: 'length', usage, responseId: 'r1', model: 'm-1' }
    const events = [...text('fine'), { type: 'metadata', metadata }]
    const parts = await partsOf(events)
    const told = {
      inputTokens: { total: 10, noCache: 6, cacheRead: 3, cacheWrite: 1 },
      outputTokens: { total: 7, text: 5, reasoning: 2 },
      raw: { in: 10 },
    }
    expect(parts.slice(-2)).to.deep.equal([
      { type: 'response-metadata', id: 'r1', modelId: 'm-1' },
      finish('length', told),
    ])
    const result = await resultOf(events)
    expect(result.usage).to.deep.equal(told)
    expect(result.response).to.deep.equal({ id: 'r1', modelId: 'm-1' })
  })

  it('leave out data that is only for the moment', async () => {
    const progress = { type: 'data', name: 'progress', data: 1, transient: true }
    expect(await partsOf([progress])).to.deep.equal([START, finish('stop')])
  })

  it('stream the events of the host too, where raw chunks are asked for', async () => {
    const raw = (await partsOf(text('fine'), { includeRawChunks: true })).filter(
      (part) => part.type === 'raw',
    )
    const types = raw.map(({ rawValue }) => (rawValue as { type: string }).type)
    expect(types).to.deep.equal(['text-start', 'text-delta', 'text-end', 'finish'])
  })
})
