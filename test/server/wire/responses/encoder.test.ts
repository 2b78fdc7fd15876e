import { expect } from 'chai'
import fc from 'fast-check'
import type { PartialEvent, RunEvent, RunEventBody } from '../../../../src/plugin/events/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import {
  type ResponsesOptions,
  responsesAnswer,
  responsesEncoder,
} from '../../../../src/server/wire/responses/index.ts'
import { textEvents } from '../../../helpers/hosts.ts'
import { RESPONSES } from '../api-protocols.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun } from '../protocol-suites.ts'
import { anyFacts, anyRun, factsOf, numbered, runOf } from '../runs.ts'

type Frame = { readonly type: string; readonly [field: string]: unknown }
type Item = { readonly [field: string]: unknown }

function textOf(
  events: readonly RunEvent[],
  facts: RunFacts = factsOf(),
  options?: ResponsesOptions,
): string {
  const encoder = responsesEncoder(facts, options)
  return events.map((event) => encoder.encode(event)).join('')
}

function framesOf(...given: Parameters<typeof textOf>): readonly Frame[] {
  return sseFrames(textOf(...given)).map(({ data }) => JSON.parse(data) as Frame)
}

/** The response that the ending says. */
function responseOf(...given: Parameters<typeof textOf>): Item & { readonly output: Item[] } {
  return framesOf(...given).at(-1)?.['response'] as Item & { output: Item[] }
}

const CALL: readonly PartialEvent[] = [
  { type: 'tool-call-start', id: 'c1', name: 'look' },
  { type: 'tool-call-delta', id: 'c1', delta: '{"at":1}' },
  { type: 'tool-call-end', id: 'c1', input: { at: 1 } },
]

function reasoning(item: object, ...deltas: readonly string[]): readonly PartialEvent[] {
  return [
    { type: 'reasoning-start', id: 'r' },
    ...deltas.map((delta) => ({ type: 'reasoning-delta' as const, id: 'r', delta })),
    { type: 'reasoning-end', id: 'r', providerMetadata: { openai: { item } } },
  ]
}

const MESSAGE = {
  id: 'msg_run-1_0',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
}

describe('the encoder of responses', () => {
  it('writes an item with its text, and all of it at the end', () => {
    const frames = framesOf(runOf(textEvents('Hel', 'lo')))
    expect(frames.map(({ type }) => type)).to.deep.equal([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(frames[4]).to.deep.equal({
      type: 'response.output_text.delta',
      sequence_number: 4,
      item_id: 'msg_run-1_0',
      output_index: 0,
      content_index: 0,
      logprobs: [],
      delta: 'Hel',
    })
    const response = frames.at(-1)?.['response']
    expect(response).to.include({ id: 'resp_run-1', status: 'completed', created_at: 1700000000 })
    expect(response).to.deep.include({
      output: [MESSAGE],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 1, cache_write_tokens: 0 },
        output_tokens: 2,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 5,
      },
    })
  })

  it('writes reasoning as a summary, sealed as its provider wants it back', () => {
    const item = { type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed' }
    expect(responseOf(runOf(reasoning(item, 'h', 'm'))).output[0]).to.deep.equal({
      id: 'rs_run-1_0',
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'hm' }],
      encrypted_content: 'rs_1:sealed',
    })
    const untold = responseOf(runOf(reasoning(item))).output
    expect(untold[0]).to.deep.include({ summary: [], encrypted_content: 'rs_1:sealed' })
    expect(responseOf(runOf(reasoning({}))).output).to.have.nested.property('[0].type', 'message')
  })

  it("hands the client's calls to it, and nothing of the host's", () => {
    const [item] = responseOf(runOf(CALL), factsOf('look')).output
    expect(item).to.deep.equal({
      id: 'fc_run-1_0',
      type: 'function_call',
      status: 'completed',
      call_id: 'c1',
      name: 'look',
      arguments: '{"at":1}',
    })
    expect(responseOf(runOf(CALL)).output).to.have.nested.property('[0].type', 'message')
  })

  it('writes an image that the model made, and no other file', () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'aGk=' } as const
    const [image, ...others] = responseOf(
      runOf([file, { ...file, mediaType: 'application/pdf' }]),
    ).output
    expect(image).to.include({ type: 'image_generation_call', result: 'aGk=' })
    expect(others.map(({ type }) => type)).to.deep.equal(['message'])
  })

  it('names sources as annotations of the text before them', () => {
    const source = { type: 'source', url: 'https://a.test/', title: 'A' } as const
    const [item] = responseOf(runOf([...textEvents('It rains.'), source])).output
    const [part] = (item?.['content'] ?? []) as Item[]
    const annotation = {
      type: 'url_citation',
      url: 'https://a.test/',
      title: 'A',
      start_index: 9,
      end_index: 9,
    }
    expect(part?.['annotations']).to.deep.equal([annotation])
  })

  it('says that an answer was cut off, and why', () => {
    const events = runOf(textEvents('a')).map((event) =>
      event.type === 'finish' ? { ...event, finishReason: 'length' as const } : event,
    )
    expect(responseOf(events)).to.deep.include({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    })
  })

  it('fails with an error that tells nothing of the server, and with what was whole', () => {
    const whole = runOf(textEvents('Hello')).slice(0, -1)
    const error = { code: 'OVERLOADED', message: 'no route to 10.0.0.3' }
    expect(responseOf(numbered([...whole, { type: 'error', error }]))).to.deep.include({
      status: 'failed',
      error: { code: 'server_error', message: 'The model API is overloaded.' },
      output: [MESSAGE],
    })
    expect(responseOf(numbered([{ type: 'abort', reason: 'x' }]))).to.include({
      status: 'cancelled',
    })
  })

  it('has an `error` event before the failure for clients that pass over it, in both forms', () => {
    const error = { code: 'OVERLOADED', message: 'no route to 10.0.0.3' }
    const events = numbered([...runOf([]).slice(0, 1), { type: 'error', error }])
    const [event, failure] = framesOf(events, factsOf(), { hasErrorEvent: true }).slice(-2)
    const { type, sequence_number: number, ...fields } = event!
    const told = { code: 'overloaded', message: 'The model API is overloaded.', param: null }
    expect(fields).to.deep.equal({ ...told, error: { ...told, type: 'overloaded_error' } })
    expect([type, failure!.type]).to.deep.equal(['error', 'response.failed'])
    expect(failure!['sequence_number']).to.equal((number as number) + 1)
  })

  it('fails with the text that was shown, as an incomplete item, and with no part of a call', () => {
    const begun = [
      ...textEvents('Hello'),
      { type: 'tool-call-start', id: 'c1', name: 'look' },
      { type: 'tool-call-end', id: 'c1', input: {} },
      { type: 'text-start', id: '2' },
      { type: 'text-delta', id: '2', delta: 'I ' },
      { type: 'text-delta', id: '2', delta: 'lo' },
    ] as const
    const call = [
      { type: 'tool-call-start', id: 'c2', name: 'look' },
      { type: 'tool-call-delta', id: 'c2', delta: '{' },
    ] as const
    const abort = { type: 'abort', reason: 'x' } as const
    const start = { type: 'start', requestId: 'r1' } as const
    const itemsOf = (...events: readonly RunEventBody[]) => {
      const run = numbered([start, ...events, abort])
      const { output } = responseOf(run, factsOf('look'))
      const whole = responsesAnswer(factsOf('look'), { isRetrieved: true })
      for (const event of run) whole.add(event)
      expect((whole.answer().body as { output: unknown }).output).to.deep.equal(output)
      return output.map(({ type, status, content }) => [type, status, content])
    }
    const part = (text: string) => [{ type: 'output_text', text, annotations: [], logprobs: [] }]
    const said = ['message', 'completed', part('Hello')]
    const called = ['function_call', 'completed', undefined]
    const cut = ['message', 'incomplete', part('I lo')]
    expect(itemsOf(...begun)).to.deep.equal([said, called, cut])
    expect(itemsOf(...textEvents('Hello'), ...call)).to.deep.equal([said])
  })

  it('repeats what it is told of the request', () => {
    const about = { previousResponseId: 'resp_0', metadata: { a: 'b' }, store: true }
    expect(responseOf(runOf(textEvents('a')), factsOf(), { about })).to.deep.include({
      previous_response_id: 'resp_0',
      metadata: { a: 'b' },
      store: true,
    })
  })

  it('goes on behind any event that a reader has', () => {
    fc.assert(
      fc.property(anyRun, anyFacts, fc.nat(80), (events, facts, startingAfter) => {
        const all = framesOf(events, facts)
        const rest = framesOf(events, facts, { startingAfter })
        expect(rest).to.deep.equal(all.slice(startingAfter + 1))
      }),
    )
  })

  writesEveryRun(RESPONSES)
})
