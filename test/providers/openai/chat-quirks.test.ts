import { expect } from 'chai'
import fc from 'fast-check'
import { digestOf } from '../../../providers/model-api/index.ts'
import type { Part } from '../../../src/core/index.ts'
import { propertyRuns } from '../../helpers/cases.ts'
import { NOWHERE, streamedEvents } from './asking.ts'

const server = digestOf(NOWHERE.url)

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'chatcmpl-1',
  model: 'gpt-test',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const call = (fields: object) => chunk({ tool_calls: [fields] })
const text = (content: string) => chunk({ content })

const parts = async (
  events: readonly (object | string)[],
  end?: string,
): Promise<readonly Part[]> => {
  const { gathered, result } = await streamedEvents('chat', events, end)
  expect(result.error).to.equal(undefined)
  expect(gathered).to.deep.equal(result.messages)
  return result.messages[0]?.parts ?? []
}

const callsOf = (all: readonly Part[]) =>
  all.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.name, part.input]] : []))

describe('chat completions as servers really send them', () => {
  it('end without [DONE]', async () => {
    expect(await parts([text('Hi'), chunk({}, 'stop')])).to.deep.equal([
      { type: 'text', text: 'Hi' },
    ])
  })

  it('end with [DONE] and no finish reason', async () => {
    const { result } = await streamedEvents('chat', [text('Hi'), '[DONE]'])
    expect(result).to.include({ status: 'done', finishReason: 'other' })
  })

  it('have nothing after [DONE]', async () => {
    expect(await parts([text('Hi'), '[DONE]', text(' there')])).to.deep.equal([
      { type: 'text', text: 'Hi' },
    ])
  })

  it('go on after the finish reason', async () => {
    const all = await parts([text('Hi'), chunk({}, 'stop'), text('!'), '[DONE]'])
    expect(all).to.deep.equal([{ type: 'text', text: 'Hi!' }])
  })

  it('have comments, empty choices and usage alone', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
    const { result } = await streamedEvents(
      'chat',
      [
        { choices: [], prompt_filter_results: [] },
        text('Hi'),
        chunk({}, 'stop'),
        { choices: [], usage },
        { usage: null },
        '[DONE]',
      ],
      ': bye\n\n',
    )
    expect(result.usage).to.deep.equal({ input: 3, output: 2, raw: usage })
  })

  it('leave the usage unknown where they do not tell it', async () => {
    const { result } = await streamedEvents('chat', [text('Hi'), chunk({}, 'stop')])
    expect(result.usage).to.deep.equal({})
  })

  it('count reasoning beside the output where the total says so', async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 2,
      total_tokens: 312,
      completion_tokens_details: { reasoning_tokens: 300 },
    }
    const { result } = await streamedEvents('chat', [text('Hi'), chunk({}, 'stop', { usage })])
    expect(result.usage).to.include({ input: 10, output: 302, reasoning: 300 })
  })

  it('give the whole message where deltas were asked for', async () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }],
    }
    const all = await parts([{ id: 'x', choices: [{ message, finish_reason: 'tool_calls' }] }])
    expect(all.map(({ type }) => type)).to.deep.equal(['text', 'tool-call'])
  })

  it('give text as a list of parts', async () => {
    const all = await parts([chunk({ content: [{ type: 'text', text: 'Hi' }] }), chunk({}, 'stop')])
    expect(all).to.deep.equal([{ type: 'text', text: 'Hi' }])
  })

  it('keep reasoning and text apart, each as one part, however they take turns', async () => {
    const all = await parts([
      chunk({ reasoning: 'a' }),
      text('b'),
      chunk({ reasoning: 'c' }),
      text('d'),
      chunk({}, 'stop'),
    ])
    expect(all).to.deep.equal([
      {
        type: 'reasoning',
        text: 'ac',
        providerMetadata: { openai: { server, field: 'reasoning' } },
      },
      { type: 'text', text: 'bd' },
    ])
  })

  const calls: readonly {
    title: string
    deltas: readonly object[]
    expected: readonly unknown[]
  }[] = [
    {
      title: 'without an index',
      deltas: [
        { id: 'a', function: { name: 'f', arguments: '{"x"' } },
        { function: { arguments: ':1}' } },
        { id: 'b', function: { name: 'g', arguments: '{}' } },
      ],
      expected: [
        ['a', 'f', { x: 1 }],
        ['b', 'g', {}],
      ],
    },
    {
      title: 'that are all number 0',
      deltas: [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: 0, id: 'b', function: { name: 'f', arguments: '{"x":2}' } },
      ],
      expected: [
        ['a', 'f', {}],
        ['b', 'f', { x: 2 }],
      ],
    },
    {
      title: 'without an id',
      deltas: [
        { index: 0, function: { name: 'f', arguments: '{}' } },
        { index: 1, function: { name: 'f', arguments: '{}' } },
      ],
      expected: [
        ['chatcmpl-1-0', 'f', {}],
        ['chatcmpl-1-1', 'f', {}],
      ],
    },
    {
      title: 'whose name comes late',
      deltas: [
        { index: 0, id: 'a', function: { arguments: '{"x":' } },
        { index: 0, function: { name: 'f' } },
        { index: 0, function: { arguments: '1}' } },
      ],
      expected: [['a', 'f', { x: 1 }]],
    },
    {
      title: 'whose name never comes',
      deltas: [{ index: 0, id: 'a', function: { arguments: '{"x":1}' } }],
      expected: [['a', 'unnamed', { x: 1 }]],
    },
    {
      title: 'whose name is repeated',
      deltas: [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{' } },
        { index: 0, id: 'a', function: { name: 'f', arguments: '}' } },
      ],
      expected: [['a', 'f', {}]],
    },
    {
      title: 'whose arguments come parsed',
      deltas: [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }],
      expected: [['a', 'f', { x: 1 }]],
    },
    {
      title: 'without arguments',
      deltas: [{ index: 0, id: 'a', function: { name: 'f' } }],
      expected: [['a', 'f', {}]],
    },
    {
      title: 'whose arguments are no JSON',
      deltas: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x": ' } }],
      expected: [['a', 'f', '{"x": ']],
    },
    {
      title: 'whose arguments name __proto__',
      deltas: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"__proto__":{"y":1}}' } }],
      expected: [['a', 'f', '{"__proto__":{"y":1}}']],
    },
    {
      title: 'with an index of 10^9, -1 and "__proto__"',
      deltas: [
        { index: 1e9, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: -1, id: 'b', function: { name: 'f', arguments: '{}' } },
        { index: '__proto__', id: 'c', function: { name: 'f', arguments: '{}' } },
      ],
      expected: [
        ['a', 'f', {}],
        ['b', 'f', {}],
        ['c', 'f', {}],
      ],
    },
    {
      title: 'with one id twice',
      deltas: [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
        { index: 1, id: 'a', function: { name: 'g', arguments: '{}' } },
      ],
      expected: [
        ['a', 'f', {}],
        ['a-1', 'g', {}],
      ],
    },
  ]
  for (const { title, deltas, expected } of calls) {
    it(`have calls ${title}`, async () => {
      expect(callsOf(await parts([...deltas.map(call), chunk({}, 'stop')]))).to.deep.equal(expected)
    })
  }

  it('have calls though the finish reason is "stop"', async () => {
    const { result } = await streamedEvents('chat', [
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      chunk({}, 'stop'),
    ])
    expect(result.finishReason).to.equal('tool-calls')
  })

  it('have nothing kept of a call beside its id, name and input where there is no more', async () => {
    const all = await parts([
      call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }),
      chunk({}, 'tool_calls'),
    ])
    expect(all).to.deep.equal([{ type: 'tool-call', callId: 'a', name: 'f', input: { x: 1 } }])
  })

  for (const [reason, expected] of [
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['eos', 'stop'],
    ['unheard_of', 'other'],
  ] as const) {
    it(`end with ${reason} as "${expected}"`, async () => {
      const { result } = await streamedEvents('chat', [text('Hi'), chunk({}, reason)])
      expect(result.finishReason).to.equal(expected)
    })
  }

  it('end as "content-filter" where the model refuses to answer', async () => {
    const refusal = chunk({ refusal: 'I cannot help with that.' })
    for (const [reason, expected] of [
      ['stop', 'content-filter'],
      ['length', 'length'],
    ] as const) {
      const { result } = await streamedEvents('chat', [refusal, chunk({}, reason)])
      expect(result.finishReason).to.equal(expected)
    }
  })

  it('mark a refusal at its start', async () => {
    const refusal = chunk({ refusal: 'I cannot help with that.' })
    const { events } = await streamedEvents('chat', [refusal, chunk({}, 'stop')])
    const edges = events.filter(({ type }) => type === 'text-start' || type === 'text-end')
    expect(edges).to.have.length(2)
    for (const edge of edges)
      expect(edge).to.have.nested.property('providerMetadata.openai.refusal')
  })

  it('add up in any order, whatever stands in them', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.constant({}),
      fc.constant(undefined),
    )
    const toolCall = fc.record(
      {
        index: fc.oneof(fc.integer({ min: -1, max: 2 }), value),
        id: fc.oneof(fc.constantFrom('a', 'b'), value),
        function: fc.oneof(
          fc.record({ name: value, arguments: value }, { requiredKeys: [] }),
          value,
        ),
      },
      { requiredKeys: [] },
    )
    const delta = fc.record(
      {
        content: value,
        reasoning_content: value,
        refusal: value,
        tool_calls: fc.oneof(fc.array(toolCall, { maxLength: 3 }), value),
        annotations: fc.array(fc.record({ url: fc.string() }), { maxLength: 1 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(delta, { maxLength: 8 }), async (deltas) => {
        await parts([...deltas.map((one) => chunk(one)), chunk({}, 'stop')])
      }),
      { numRuns: propertyRuns(150) },
    )
  })
})
