import { expect } from 'chai'
import type { PartialEvent, RunEvent } from '../../../../src/plugin/events/index.ts'
import {
  type ChatCompletionOptions,
  chatCompletionEncoder,
} from '../../../../src/server/wire/chat-completions/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { CHAT_COMPLETIONS } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun } from '../protocol-suites.ts'
import { factsOf, numbered, runOf } from '../runs.ts'

type Chunk = {
  readonly id: string
  readonly choices: readonly {
    readonly delta: { readonly [field: string]: unknown }
    readonly finish_reason: string | null
  }[]
  readonly usage?: unknown
  readonly error?: { readonly message: string; readonly type: string; readonly code: string }
}

function textOf(
  events: readonly RunEvent[],
  facts: RunFacts = factsOf(),
  options?: ChatCompletionOptions,
): string {
  const encoder = chatCompletionEncoder(facts, options)
  return events.map((event) => encoder.encode(event)).join('')
}

function chunksOf(...given: Parameters<typeof textOf>): readonly Chunk[] {
  const data = sseFrames(textOf(...given)).map((frame) => frame.data)
  expect(data.pop()).to.equal('[DONE]')
  return data.map((one) => JSON.parse(one) as Chunk)
}

function deltasOf(chunks: readonly Chunk[], field: string): readonly unknown[] {
  return chunks.flatMap(({ choices }) => choices?.[0]?.delta[field] ?? [])
}

function reasonOf(chunks: readonly Chunk[]): unknown {
  return chunks.find(({ choices }) => choices?.[0]?.finish_reason)?.choices[0]?.finish_reason
}

const CALL_EVENTS: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at"' },
  { type: 'tool-call-delta', id: 'c1', delta: ':1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
]
const CALL = runOf(CALL_EVENTS)

describe('the encoder of chat completions', () => {
  it('writes a role, the text as it comes, a reason and [DONE]', () => {
    const text = textOf(runOf(textEvents('Hel', 'lo "you"')))
    const head =
      '{"id":"chatcmpl-run-1","object":"chat.completion.chunk","created":1700000000,"model":"published"'
    expect(text).to.equal(
      [
        '{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}',
        '{"index":0,"delta":{"content":"Hel"},"finish_reason":null}',
        '{"index":0,"delta":{"content":"lo \\"you\\""},"finish_reason":null}',
        '{"index":0,"delta":{},"finish_reason":"stop"}',
      ]
        .map((choice) => `data: ${head},"choices":[${choice}]}\n\n`)
        .join('')
        .concat('data: [DONE]\n\n'),
    )
  })

  it('writes reasoning beside the text', () => {
    const chunks = chunksOf(
      runOf([
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'hm' },
        { type: 'reasoning-end', id: 'r' },
        ...textEvents('yes'),
      ]),
    )
    expect(deltasOf(chunks, 'reasoning_content')).to.deep.equal(['hm'])
    expect(deltasOf(chunks, 'content')).to.deep.equal(['', 'yes'])
  })

  it("hands the client's calls to it, arguments as they come", () => {
    const chunks = chunksOf(CALL, factsOf('look'))
    expect(deltasOf(chunks, 'tool_calls')).to.deep.equal([
      { index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '' } },
      { index: 0, function: { arguments: '{"at"' } },
      { index: 0, function: { arguments: ':1}' } },
    ])
    expect(reasonOf(chunks)).to.equal('tool_calls')
  })

  it("shows nothing of the host's and the provider's calls", () => {
    const hosted = runOf([
      { type: 'tool-call-start', id: 'c1', name: 'web_search' },
      { type: 'tool-call-end', id: 'c1', input: {}, providerExecuted: true },
      { type: 'tool-result', callId: 'c1', name: 'web_search', output: 1, providerExecuted: true },
    ])
    for (const events of [CALL, hosted]) {
      const chunks = chunksOf(events)
      expect(deltasOf(chunks, 'tool_calls')).to.deep.equal([])
      expect(reasonOf(chunks)).to.equal('stop')
    }
  })

  it('makes one answer of what stands before and after calls that the host ran', () => {
    const call = CALL_EVENTS
    const text = textEvents('Let me see. ')
    const chunks = chunksOf(runOf([...text, ...call], textEvents('It is 1.')))
    expect(deltasOf(chunks, 'content').join('')).to.equal('Let me see. \n\nIt is 1.')
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason)).to.have.length(1)
  })

  it('puts calls that take turns one after the other', () => {
    const chunks = chunksOf(
      runOf([
        { type: 'tool-call-start', id: 'a', name: 'look' },
        { type: 'tool-call-start', id: 'b', name: 'look' },
        { type: 'tool-call-delta', id: 'b', delta: '{"b":1}' },
        { type: 'tool-call-delta', id: 'a', delta: '{"a":1}' },
        { type: 'tool-call-end', id: 'b', input: { b: 1 } },
        { type: 'tool-call-end', id: 'a', input: { a: 1 } },
      ]),
      factsOf('look'),
    )
    const calls = deltasOf(chunks, 'tool_calls') as { index: number; id?: string }[]
    expect(calls.map(({ index, id }) => [index, id])).to.deep.equal([
      [0, 'a'],
      [0, undefined],
      [1, 'b'],
      [1, undefined],
    ])
  })

  it('writes arguments that came as a value alone', () => {
    const events = runOf([
      { type: 'tool-call-start', id: 'a', name: 'look' },
      { type: 'tool-call-end', id: 'a', input: {} },
    ])
    const [, written] = deltasOf(chunksOf(events, factsOf('look')), 'tool_calls')
    expect(written).to.deep.equal({ index: 0, function: { arguments: '{}' } })
  })

  it('tells usage only where it was asked for, in a chunk of its own', () => {
    const events = runOf(textEvents('a'), textEvents('b'))
    expect(chunksOf(events).filter((chunk) => 'usage' in chunk)).to.deep.equal([])
    const chunks = chunksOf(events, factsOf(), { includesUsage: true })
    const last = chunks.at(-1)
    expect(last?.choices).to.deep.equal([])
    expect(last?.usage).to.deep.equal({
      prompt_tokens: 6,
      completion_tokens: 4,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 0 },
    })
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).to.equal(true)
  })

  it('names sources in one delta before the end', () => {
    const chunks = chunksOf(
      runOf([
        ...textEvents('It rains.'),
        { type: 'source', url: 'https://a.test/', title: 'A' },
        { type: 'source', title: 'a file' },
        { type: 'source', url: 'https://b.test/' },
      ]),
    )
    const at = { start_index: 9, end_index: 9 }
    expect(deltasOf(chunks, 'annotations')).to.deep.equal([
      { type: 'url_citation', url_citation: { url: 'https://a.test/', title: 'A', ...at } },
      {
        type: 'url_citation',
        url_citation: { url: 'https://b.test/', title: 'https://b.test/', ...at },
      },
    ])
  })

  it('ends in an error that tells nothing of the server, and [DONE]', () => {
    const error = { code: 'PROVIDER_FAILED', message: 'no route to 10.0.0.3' }
    const chunks = chunksOf(
      numbered([
        { type: 'start', requestId: 'r' },
        { type: 'error', error },
      ]),
    )
    expect(chunks.at(-1)).to.deep.equal({
      error: {
        message: 'The model API failed.',
        type: 'server_error',
        param: null,
        code: 'provider_failed',
      },
    })
  })

  it('ends in an error where the run was stopped', () => {
    const chunks = chunksOf(numbered([{ type: 'abort', reason: 'by whom' }]))
    expect(chunks.at(-1)?.error?.message).to.equal('The run was stopped.')
  })

  it('ends in an error where a call that the client was shown does not count any more', () => {
    const again = { type: 'step-reset', step: 1, reason: 'again' } as const
    const events = numbered([...CALL.slice(0, 3), again, ...CALL.slice(2)])
    const chunks = chunksOf(events, factsOf('look'))
    expect(chunks.at(-1)?.error?.code).to.equal('stream_interrupted')
    expect(deltasOf(chunks, 'tool_calls')).to.have.length(1)
  })

  it('goes on with a run whose earlier leg another answer told', () => {
    const result = { type: 'tool-result', callId: 'c', name: 'run', output: 1 } as const
    const events = numbered([
      { type: 'start', requestId: 'r' },
      { type: 'approval-resolved', approvalId: 'a', callId: 'c', approved: true },
      { type: 'tool-execution-start', callId: 'c', name: 'run', input: {} },
      { type: 'tool-execution-end', callId: 'c', result },
      ...runOf(textEvents('done')).slice(1),
    ])
    expect(deltasOf(chunksOf(events), 'content').join('')).to.equal('done')
  })

  it('writes nothing after its ending', () => {
    const encoder = chatCompletionEncoder(factsOf())
    const events = runOf(textEvents('a'))
    for (const event of events) encoder.encode(event)
    expect(events.map((event) => encoder.encode(event)).join('')).to.equal('')
  })

  writesEveryRun(CHAT_COMPLETIONS)
})
