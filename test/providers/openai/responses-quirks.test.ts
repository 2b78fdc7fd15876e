import { expect } from 'chai'
import fc from 'fast-check'
import { digestOf } from '../../../providers/model-api/index.ts'
import type { Part } from '../../../src/core/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { NOWHERE, streamedEvents } from './asking.ts'

const server = digestOf(NOWHERE.url)

const message = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...more,
})
const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const delta = (output_index: number, text: string, more: object = {}) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index: 0,
  delta: text,
  ...more,
})
const completed = (response: object = {}) => ({
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', model: 'gpt-test', output: [], ...response },
})

const parts = async (events: readonly object[]): Promise<readonly Part[]> => {
  const { gathered, result } = await streamedEvents('responses', events)
  expect(result.error).to.equal(undefined)
  expect(gathered).to.deep.equal(result.messages)
  return result.messages[0]?.parts ?? []
}
const textsOf = (all: readonly Part[]) =>
  all.flatMap((part) => (part.type === 'text' ? [part.text] : []))
const callsOf = (all: readonly Part[]) =>
  all.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.name, part.input]] : []))

const EVENT_NAMES = (
  'created output_item.added output_item.done content_part.added output_text.delta refusal.delta ' +
  'reasoning_summary_part.added reasoning_summary_text.delta reasoning_text.delta completed ' +
  'output_text.annotation.added function_call_arguments.delta custom_tool_call_input.delta ' +
  'mcp_call_arguments.delta image_generation_call.partial_image'
).split(' ')

describe('responses as servers really send them', () => {
  it('show previews of an image in its own format', async () => {
    const preview = (more: object) => ({
      type: 'response.image_generation_call.partial_image',
      output_index: 0,
      item_id: 'ig_1',
      partial_image_b64: 'AAAA',
      ...more,
    })
    const image = { id: 'ig_1', type: 'image_generation_call', status: 'in_progress' }
    const { events } = await streamedEvents('responses', [
      added(0, image),
      preview({ output_format: 'webp' }),
      preview({}),
      completed(),
    ])
    const types = events.flatMap((event) =>
      event.type === 'data' ? [(event.data as { mediaType: string }).mediaType] : [],
    )
    expect(types).to.deep.equal(['image/webp', 'image/png'])
  })

  it('have unknown events, which are passed over', async () => {
    const all = await parts([
      { type: 'response.mystery' },
      { type: '__proto__' },
      {},
      added(0, message('')),
      delta(0, 'Hi'),
      completed(),
    ])
    expect(textsOf(all)).to.deep.equal(['Hi'])
  })

  it('have unknown items, which stay as they were', async () => {
    const item = { id: 'q_1', type: 'quantum_call', spin: ['up'] }
    const all = await parts([added(0, item), done(0, item), completed()])
    expect(all).to.deep.equal([
      {
        type: 'data',
        name: 'openai-item',
        data: item,
        providerMetadata: { openai: { server, itemId: 'q_1' } },
      },
    ])
  })

  it('have no events but the last', async () => {
    expect(textsOf(await parts([completed({ output: [message('Hi')] })]))).to.deep.equal(['Hi'])
  })

  it('have deltas of items that never began', async () => {
    expect(textsOf(await parts([delta(3, 'H'), delta(3, 'i'), completed()]))).to.deep.equal(['Hi'])
  })

  it('have items that never end', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'call_1', name: 'f', arguments: '' }
    const all = await parts([
      added(0, message('', { content: [] })),
      delta(0, 'Hi'),
      added(1, call),
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"x":1}' },
      completed(),
    ])
    expect(textsOf(all)).to.deep.equal(['Hi'])
    expect(callsOf(all)).to.deep.equal([['call_1', 'f', { x: 1 }]])
  })

  it('have more text at the end of an item than was streamed', async () => {
    expect(
      textsOf(
        await parts([
          added(0, message('')),
          delta(0, 'He'),
          done(0, message('Hello')),
          completed(),
        ]),
      ),
    ).to.deep.equal(['Hello'])
  })

  it('have another text at the end of an item, where what was shown stays', async () => {
    expect(
      textsOf(await parts([delta(0, 'Good'), done(0, message('Bad')), completed()])),
    ).to.deep.equal(['Good'])
  })

  it('have texts in any place', async () => {
    const all = await parts([
      delta(0, 'b', { content_index: 1e9 }),
      delta(0, 'a', { content_index: -1 }),
      delta(0, 'c', { content_index: '__proto__' }),
      done(0, message('d')),
      completed(),
    ])
    expect(textsOf(all)).to.deep.equal(['b', 'a', 'c', 'd'])
  })

  it('have no places for items, only their ids', async () => {
    const all = await parts([
      { type: 'response.output_item.added', item: message('') },
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hi' },
      { type: 'response.output_item.done', item: message('Hi') },
      completed({ output: [message('Hi')] }),
    ])
    expect(textsOf(all)).to.deep.equal(['Hi'])
  })

  it('have items that take turns, which are shown one after the other', async () => {
    const search = {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'x' },
    }
    const all = await parts([
      added(0, { ...search, status: 'in_progress' }),
      added(1, message('', { content: [] })),
      delta(1, 'Found'),
      done(1, message('Found')),
      done(0, search),
      completed(),
    ])
    expect(all.map(({ type }) => type)).to.deep.equal(['tool-call', 'tool-result', 'text'])
  })

  it('have calls whose arguments are no JSON', async () => {
    const call = {
      type: 'function_call',
      id: 'fc',
      call_id: 'call_1',
      name: 'f',
      arguments: '{"x": ',
    }
    expect(callsOf(await parts([done(0, call), completed()]))).to.deep.equal([
      ['call_1', 'f', '{"x": '],
    ])
  })

  it('have two calls with one id', async () => {
    const call = { type: 'function_call', id: 'fc', call_id: 'call_1', name: 'f', arguments: '{}' }
    const all = await parts([
      added(0, call),
      done(0, call),
      added(1, call),
      done(1, call),
      completed(),
    ])
    expect(callsOf(all).map(([id]) => id)).to.deep.equal(['call_1', 'call_1-1'])
  })

  it('run the shell where the tools say that it is, if the call does not', async () => {
    const call = { id: 'sh_1', type: 'shell_call', call_id: 'call_1', action: { commands: ['ls'] } }
    const ran = async (tools: readonly object[], environment?: object | null) => {
      const item = environment === undefined ? call : { ...call, environment }
      const created = { type: 'response.created', response: { tools } }
      const all = await parts([created, added(0, item), done(0, item), completed({ tools })])
      return all.some((part) => part.type === 'tool-call' && part.providerExecuted === true)
    }
    const container = { type: 'container_auto' }
    const inContainer = { type: 'shell', environment: container }
    expect(await ran([inContainer])).to.equal(true)
    expect(await ran([inContainer], null)).to.equal(true)
    expect(await ran([inContainer], { type: 'local' })).to.equal(false)
    expect(await ran([{ type: 'shell' }])).to.equal(false)
    expect(await ran([{ type: 'shell' }], container)).to.equal(true)
  })

  it('have nothing after the end', async () => {
    const all = await parts([
      added(0, message('')),
      delta(0, 'Hi'),
      completed(),
      delta(0, '!'),
      delta(7, '!'),
    ])
    expect(textsOf(all)).to.deep.equal(['Hi'])
  })

  it('leave the usage unknown where they do not tell it', async () => {
    const { result } = await streamedEvents('responses', [
      completed({ output: [message('Hi')], usage: null }),
    ])
    expect(result.usage).to.deep.equal({})
  })

  it('mark a refusal at its start, with its deltas or without', async () => {
    const refusal = message('', { content: [{ type: 'refusal', refusal: 'No.' }] })
    const type = 'response.refusal.delta'
    const deltas = [added(0, message('', { content: [] })), { ...delta(0, 'No.'), type }]
    for (const before of [deltas, []]) {
      const streamed = [...before, done(0, refusal), completed({ output: [refusal] })]
      const { events, result } = await streamedEvents('responses', streamed)
      const edges = events.filter((one) => one.type === 'text-start' || one.type === 'text-end')
      expect(edges).to.have.length(2)
      for (const edge of edges)
        expect(edge).to.have.nested.property('providerMetadata.openai.refusal')
      expect(result.finishReason).to.equal('content-filter')
    }
  })

  for (const [details, expected] of [
    [{ reason: 'max_output_tokens' }, 'length'],
    [{ reason: 'content_filter' }, 'content-filter'],
    [{ reason: 'boredom' }, 'other'],
  ] as const) {
    it(`end incomplete for ${details.reason} as "${expected}"`, async () => {
      const { response } = completed({
        status: 'incomplete',
        incomplete_details: details,
        output: [message('Hi')],
      })
      const { result } = await streamedEvents('responses', [
        { type: 'response.incomplete', response },
      ])
      expect(result).to.include({ status: 'done', finishReason: expected })
    })
  }

  it('end with calls to run where they are incomplete for a reason that nobody knows', async () => {
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'f',
      arguments: '{}',
    }
    const { response } = completed({
      status: 'incomplete',
      incomplete_details: { reason: 'boredom' },
      output: [call],
    })
    const { result } = await streamedEvents('responses', [
      { type: 'response.incomplete', response },
    ])
    expect(result).to.include({ status: 'done', finishReason: 'tool-calls' })
  })

  it('add up in any order, whatever stands in them', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constant({}),
      fc.constant([]),
    )
    const index = fc.oneof(fc.integer({ min: 0, max: 2 }), value)
    const entry = fc.record(
      {
        type: fc.constantFrom('output_text', 'refusal', 'x'),
        text: value,
        refusal: value,
        annotations: value,
      },
      { requiredKeys: [] },
    )
    const item = fc.record(
      {
        id: fc.oneof(fc.constantFrom('a', 'b'), value),
        call_id: fc.oneof(fc.constantFrom('a', 'b'), value),
        type: fc.oneof(
          fc.constantFrom(
            'message',
            'reasoning',
            'function_call',
            'custom_tool_call',
            'web_search_call',
            'mcp_call',
            'shell_call',
            'shell_call_output',
            'image_generation_call',
            'mcp_list_tools',
          ),
          value,
        ),
        name: value,
        arguments: value,
        input: value,
        action: fc.oneof(value, fc.record({ sources: value })),
        result: value,
        content: fc.oneof(fc.array(fc.oneof(entry, value), { maxLength: 2 }), value),
        summary: fc.oneof(fc.array(fc.oneof(entry, value), { maxLength: 2 }), value),
      },
      { requiredKeys: ['type'] },
    )
    const type = fc.constantFrom(...EVENT_NAMES).map((name) => `response.${name}`)
    const event = fc.record(
      {
        type,
        output_index: index,
        item_id: value,
        content_index: index,
        summary_index: index,
        delta: value,
        item: fc.oneof(item, value),
        part: entry,
        annotation: value,
        partial_image_b64: value,
        response: value,
      },
      { requiredKeys: ['type'] },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 12 }),
        fc.array(item, { maxLength: 2 }),
        async (events, output) => {
          await parts([
            ...events,
            { type: 'response.created', response: {} },
            completed({ output }),
          ])
        },
      ),
      { numRuns: propertyRuns(150) },
    )
  })
})
