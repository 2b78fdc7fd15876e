import { expect } from 'chai'
import fc from 'fast-check'
import { digestOf } from '../../../providers/model-api/index.ts'
import type { Part } from '../../../src/core/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { NOWHERE, streamedEvents } from './asking.ts'

const start = (message: object = {}) => ({
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude-test', content: [], usage: {}, ...message },
})
const begin = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const grow = (index: unknown, delta: object) => ({ type: 'content_block_delta', index, delta })
const say = (index: unknown, text: string) => grow(index, { type: 'text_delta', text })
const think = (index: unknown, thinking: string) =>
  grow(index, { type: 'thinking_delta', thinking })
const fill = (index: unknown, partial_json: string) =>
  grow(index, { type: 'input_json_delta', partial_json })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const end = (delta: object = { stop_reason: 'end_turn' }, more: object = {}) => ({
  type: 'message_delta',
  delta,
  ...more,
})
const over = { type: 'message_stop' }

const TEXT = { type: 'text', text: '' }
const call = (id: string | undefined, more: object = {}) => ({
  type: 'tool_use',
  ...(id === undefined ? {} : { id }),
  name: 'look',
  input: {},
  ...more,
})

const streamed = async (events: readonly object[]) => {
  const { gathered, result, events: seen } = await streamedEvents(events)
  expect(result.error).to.equal(undefined)
  expect(gathered).to.deep.equal(result.messages)
  return { parts: result.messages[0]?.parts ?? [], result, seen }
}
const shown = (all: readonly Part[]) =>
  all.map((part) => {
    if (part.type === 'text') return part.text
    if (part.type === 'tool-call') return [part.callId, part.input]
    return part.type
  })

/** Streams that are not as the documentation has them, and the parts that they come to. */
const QUIRKS: readonly [title: string, events: readonly object[], parts: readonly unknown[]][] = [
  [
    'unknown events and pings, which are passed over',
    [
      { type: 'ping' },
      start(),
      { type: 'mystery', index: 0 },
      { type: '__proto__' },
      {},
      begin(0, TEXT),
      { type: 'ping' },
      say(0, 'Hi'),
      stop(0),
      end(),
      over,
    ],
    ['Hi'],
  ],
  [
    'deltas of an unknown kind, which are passed over',
    [
      start(),
      begin(0, TEXT),
      say(0, 'Hi'),
      grow(0, { type: 'mystery_delta', text: '!' }),
      grow(0, { type: 'thinking_delta', thinking: '!' }),
      grow(0, { type: 'input_json_delta', partial_json: '{}' }),
      stop(0),
      end(),
      over,
    ],
    ['Hi'],
  ],
  [
    'deltas of blocks that never began',
    [start(), say(3, 'H'), say(3, 'i'), think(4, 'Hm'), fill(5, '{}'), end(), over],
    ['Hi', 'reasoning'],
  ],
  [
    'blocks that never stop',
    [start(), begin(0, TEXT), say(0, 'Hi'), begin(1, call('c1')), fill(1, '{"x":1}'), end(), over],
    ['Hi', ['c1', { x: 1 }]],
  ],
  [
    'blocks that begin where another is open',
    [start(), begin(0, TEXT), say(0, 'Hi'), begin(0, call('c1')), fill(0, '{}'), end(), over],
    ['Hi', ['c1', {}]],
  ],
  [
    'blocks that take turns, which are shown one after the other',
    [
      start(),
      begin(0, TEXT),
      begin(1, call('c1')),
      fill(1, '{"x"'),
      say(0, 'H'),
      fill(1, ':1}'),
      stop(1),
      say(0, 'i'),
      stop(0),
      end(),
      over,
    ],
    ['Hi', ['c1', { x: 1 }]],
  ],
  ['no places for blocks', [start(), say(undefined, 'Hi'), end(), over], ['Hi']],
  ['no end but the reason to stop', [start(), begin(0, TEXT), say(0, 'Hi'), end()], ['Hi']],
  ['no reason to stop but the end', [start(), begin(0, TEXT), say(0, 'Hi'), over], ['Hi']],
  ['no beginning', [begin(0, TEXT), say(0, 'Hi'), end(), over], ['Hi']],
  [
    'blocks in the beginning',
    [start({ content: [{ type: 'text', text: 'Hi' }, call('c1', { input: { x: 1 } })] }), over],
    ['Hi', ['c1', { x: 1 }]],
  ],
  [
    'text in the beginning of a block',
    [start(), begin(0, { type: 'text', text: 'H' }), say(0, 'i'), stop(0), end(), over],
    ['Hi'],
  ],
  [
    'the same beginning twice',
    [start(), start({ usage: { input_tokens: 9 } }), begin(0, TEXT), say(0, 'Hi'), end(), over],
    ['Hi'],
  ],
  [
    'a second beginning without an id',
    [start({ id: undefined }), start({ id: undefined }), say(0, 'Hi'), end(), over],
    ['Hi'],
  ],
  [
    'another answer behind the first, which goes on with it',
    [start(), say(0, 'One'), end(), over, start({ id: 'msg_2' }), say(0, 'Two'), end(), over],
    ['One', 'Two'],
  ],
  [
    'an empty piece of arguments first',
    [start(), begin(0, call('c1')), fill(0, ''), fill(0, '{"x":1}'), stop(0), end(), over],
    [['c1', { x: 1 }]],
  ],
  [
    'no pieces of arguments',
    [start(), begin(0, call('c1', { input: { x: 1 } })), stop(0), end(), over],
    [['c1', { x: 1 }]],
  ],
  [
    'arguments that are a text',
    [start(), begin(0, call('c1', { input: '{"x":1}' })), stop(0), end(), over],
    [['c1', { x: 1 }]],
  ],
  [
    'arguments that are no JSON',
    [start(), begin(0, call('c1')), fill(0, '{"x": '), stop(0), end(), over],
    [['c1', '{"x": ']],
  ],
  [
    'two calls with one id',
    [start(), begin(0, call('c1')), stop(0), begin(1, call('c1')), stop(1), end(), over],
    [
      ['c1', {}],
      ['c1-1', {}],
    ],
  ],
  [
    'calls without an id or a name',
    [start(), begin(0, call(undefined, { name: '' })), stop(0), end(), over],
    [['block-0', {}]],
  ],
  [
    'text behind the end',
    [start(), begin(0, TEXT), say(0, 'Hi'), stop(0), end(), over, say(0, '!'), say(7, '?')],
    ['Hi'],
  ],
  ['no content', [start(), end(), over], []],
  [
    'empty blocks',
    [start(), begin(0, TEXT), stop(0), begin(1, { type: 'thinking' }), stop(1), end(), over],
    ['reasoning'],
  ],
  [
    'things in place of blocks and deltas',
    [
      start(),
      { type: 'content_block_start', index: 0, content_block: 'text' },
      { type: 'content_block_delta', index: 0, delta: null },
      { type: 'message_delta', delta: 'stop', usage: 7 },
      say(0, 'Hi'),
      end(),
      over,
    ],
    ['Hi'],
  ],
]

describe('Anthropic messages as servers really send them', () => {
  for (const [title, events, expected] of QUIRKS) {
    it(`have ${title}`, async () => {
      expect(shown((await streamed(events)).parts)).to.deep.equal(expected)
    })
  }

  it('have blocks that nobody knows, which stay as they were', async () => {
    const block = { type: 'quantum', spin: ['up'] }
    const { parts } = await streamed([start(), begin(0, block), stop(0), end(), over])
    const providerMetadata = { anthropic: { server: digestOf(NOWHERE.url), block } }
    expect(parts).to.deep.equal([
      { type: 'data', name: 'anthropic-block', data: block, providerMetadata },
    ])
  })

  it('have another answer in between, whose blocks cannot be told apart', async () => {
    const events = [start(), begin(0, TEXT), say(0, 'One'), start({ id: 'msg_2' }), end(), over]
    const { result } = await streamedEvents(events)
    expect(result.error).to.include({ code: 'PROVIDER_FAILED', retryable: true })
    expect(result.error?.message).to.include('msg_2')
  })

  it('have a hand-over to another model, which goes back as it was', async () => {
    const handOver = { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }
    const iterations = [
      { type: 'message', model: 'a', input_tokens: 10, output_tokens: 40 },
      { type: 'fallback_message', model: 'b', input_tokens: 12, output_tokens: 30 },
    ]
    const usage = { input_tokens: 12, output_tokens: 30, iterations }
    const { parts, result } = await streamed([
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      think(0, 'Hm'),
      grow(0, { type: 'signature_delta', signature: 'sig' }),
      stop(0),
      begin(1, handOver),
      stop(1),
      begin(2, TEXT),
      say(2, 'Hi'),
      stop(2),
      end({ stop_reason: 'end_turn' }, { usage }),
      over,
    ])
    expect(shown(parts)).to.deep.equal(['reasoning', 'data', 'Hi'])
    expect(result.usage).to.include({ input: 12, output: 30 })
  })

  it('have results that are errors, and results of calls of an earlier answer', async () => {
    const failed = {
      type: 'web_fetch_tool_result',
      tool_use_id: 's1',
      content: { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' },
    }
    const { parts } = await streamed([start(), begin(0, failed), stop(0), end(), over])
    expect(parts[0]).to.include({ callId: 's1', name: 'web_fetch', isError: true })
  })

  it('have a result before its call, which is then not known by its name', async () => {
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] }
    const { parts } = await streamed([
      start(),
      begin(0, found),
      begin(1, { type: 'server_tool_use', id: 's1', name: 'find', input: {} }),
      stop(0),
      stop(1),
      end(),
      over,
    ])
    expect(parts[0]).to.include({ callId: 's1', name: 'web_search' })
  })

  it('say of a call that the API runs whose it is, from its start on', async () => {
    const { seen } = await streamed([
      start(),
      begin(0, { type: 'server_tool_use', id: 's1', name: 'find', input: {} }),
      stop(0),
      begin(1, call('c1')),
      fill(1, '{}'),
      stop(1),
      end(),
      over,
    ])
    const told = seen.flatMap((event) =>
      event.type === 'tool-call-start' || event.type === 'tool-call-end'
        ? [[event.type, event.id, event.providerExecuted]]
        : [],
    )
    expect(told).to.deep.equal([
      ['tool-call-start', 's1', true],
      ['tool-call-end', 's1', true],
      ['tool-call-start', 'c1', undefined],
      ['tool-call-end', 'c1', undefined],
    ])
  })

  it('tell their parts in the order of the message', async () => {
    const { seen } = await streamed([
      start(),
      begin(1, call('c1')),
      begin(0, TEXT),
      say(0, 'Hi'),
      fill(1, '{}'),
      stop(0),
      stop(1),
      end(),
      over,
    ])
    const types = seen.map(({ type }) => type).filter((type) => /^(text|tool)/.test(type))
    expect(types).to.deep.equal([
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'text-start',
      'text-delta',
      'text-end',
    ])
  })

  it('have a container that a later event does not take back', async () => {
    const container = { id: 'container_1', expires_at: '2026-07-30T18:55:04Z' }
    const ends: readonly [begin: object, delta: object][] = [
      [{ container }, { stop_reason: 'end_turn', container: null }],
      [{ container: null }, { stop_reason: 'end_turn', container }],
    ]
    for (const [began, delta] of ends) {
      const { result } = await streamed([start(began), end(delta), over])
      expect(result.messages[0]?.metadata).to.deep.nested.include({
        'anthropic.container': container,
      })
    }
  })

  for (const [given, expected] of [
    [undefined, {}],
    [{ input_tokens: null, output_tokens: 'many' }, {}],
    [{ output_tokens: 3 }, { output: 3 }],
    [
      { input_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 5 },
      { input: 10, cacheRead: 3, cacheWrite: 5 },
    ],
    [{ input_tokens: 2, cache_read_input_tokens: null }, { input: 2 }],
  ] as const) {
    it(`know of the usage what they are told: ${JSON.stringify(given)}`, async () => {
      const { result } = await streamed([
        start({ usage: undefined }),
        end({}, { usage: given }),
        over,
      ])
      const { raw: _raw, ...usage } = result.usage ?? {}
      expect(usage).to.deep.equal(expected)
    })
  }

  for (const [reason, expected] of [
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'tool-calls'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['pause_turn', 'other'],
    ['compaction', 'other'],
    ['boredom', 'other'],
    [null, 'other'],
  ] as const) {
    it(`end for ${reason} as "${expected}"`, async () => {
      const { result } = await streamed([start(), end({ stop_reason: reason }), over])
      expect(result).to.include({ status: 'done', finishReason: expected })
    })
  }

  it('add up in any order, whatever stands in them', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constant({}),
      fc.constant([]),
    )
    const index = fc.oneof(fc.integer({ min: 0, max: 2 }), value)
    const kind = fc.constantFrom(
      ...'text thinking redacted_thinking tool_use server_tool_use mcp_tool_use'.split(' '),
      ...'web_search_tool_result mcp_tool_result compaction container_upload quantum'.split(' '),
    )
    const block = fc.record(
      {
        type: fc.oneof(kind, value),
        id: fc.oneof(fc.constantFrom('a', 'b'), value),
        tool_use_id: fc.oneof(fc.constantFrom('a', 'b'), value),
        name: value,
        input: value,
        text: value,
        thinking: value,
        signature: value,
        citations: fc.oneof(value, fc.array(fc.record({ url: value, title: value }))),
        content: fc.oneof(value, fc.array(fc.record({ type: kind, url: value }))),
      },
      { requiredKeys: ['type'] },
    )
    const deltas = 'text_delta thinking_delta input_json_delta signature_delta citations_delta'
    const delta = fc.record(
      {
        type: fc.constantFrom(...deltas.split(' '), 'compaction_delta', 'quantum_delta'),
        text: value,
        thinking: value,
        signature: value,
        partial_json: value,
        citation: fc.oneof(value, fc.record({ url: value })),
        content: value,
        stop_reason: value,
      },
      { requiredKeys: ['type'] },
    )
    const kinds = 'content_block_start content_block_delta content_block_stop message_delta ping'
    const event = fc.record(
      {
        type: fc.constantFrom(...kinds.split(' ')),
        index,
        content_block: fc.oneof(block, value),
        delta: fc.oneof(delta, value),
        usage: fc.oneof(value, fc.record({ input_tokens: value, iterations: value })),
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 14 }),
        fc.array(block, { maxLength: 2 }),
        async (events, content) => {
          await streamed([start({ content }), ...events, over])
        },
      ),
      { numRuns: propertyRuns(200) },
    )
  })
})
