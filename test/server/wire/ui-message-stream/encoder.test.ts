import { expect } from 'chai'
import type { Message, RunEvent, RunEventBody } from '../../../../src/plugin/index.ts'
import type { RunFacts } from '../../../../src/server/wire/protocol.ts'
import {
  SDK_VERSIONS,
  type UiMessageStreamOptions,
  uiMessageEncoder,
} from '../../../../src/server/wire/ui-message-stream/index.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun, writesWhatIsLeft } from '../protocol-suites.ts'
import { factsOf, numbered } from '../runs.ts'
import { UiMessageStreamChecker } from './checker.ts'

type Chunk = { readonly type: string; readonly [field: string]: unknown }

const ALL: readonly UiMessageStreamOptions[] = [{}, ...SDK_VERSIONS.map((sdk) => ({ sdk }))]

/** What is written of events, checked; without the beginning of the message. */
function chunksOf(
  bodies: readonly RunEventBody[],
  options: UiMessageStreamOptions & { readonly continues?: boolean } = {},
  facts = factsOf(),
): readonly Chunk[] {
  return read(numbered(bodies), options, facts).slice(1)
}

function read(
  events: readonly RunEvent[],
  options: UiMessageStreamOptions & { readonly continues?: boolean },
  facts = factsOf(),
): readonly Chunk[] {
  const encoder = uiMessageEncoder(facts, options)
  const checker = new UiMessageStreamChecker(options)
  const text = events.map((event) => encoder.encode(event)).join('')
  checker.check(text)
  const chunks = sseFrames(text).filter(({ data }) => data !== '[DONE]')
  return chunks.map(({ data }) => JSON.parse(data) as Chunk)
}

const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const STEPPED = {
  type: 'step-finish',
  step: 1,
  finishReason: 'stop',
  usage: {},
  messages: [],
} as const
const FINISH = { type: 'finish', finishReason: 'stop', usage: {}, messages: [] } as const

function call(input: unknown, name = 'add', more: object = {}): RunEventBody[] {
  return [
    { type: 'tool-call-start', id: 'c1', name },
    { type: 'tool-call-delta', id: 'c1', delta: '{"a":1}' },
    { type: 'tool-call-end', id: 'c1', input, ...more },
  ]
}

const ASKED = {
  type: 'approval-required',
  approvalId: 'a1',
  callId: 'c1',
  name: 'add',
  input: { a: 1 },
} as const

function answered(approved: boolean): RunEventBody {
  return { type: 'approval-resolved', approvalId: 'a1', callId: 'c1', approved, reason: 'because' }
}

function executed(output: unknown, isError = false): RunEventBody {
  const result = { type: 'tool-result', callId: 'c1', name: 'add', output } as const
  return {
    type: 'tool-execution-end',
    callId: 'c1',
    result: isError ? { ...result, isError } : result,
  }
}

describe('the encoder of the UI message stream', () => {
  it('ends with an empty step behind results, beside a call of the provider that has none', () => {
    const result = { type: 'tool-result', callId: 'c1', name: 'add', output: 3 } as const
    const execution = { callId: 'c1', name: 'add' } as const
    const hosted = { id: 'p1', name: 'run_code', providerExecuted: true } as const
    const typesOf = (...others: readonly RunEventBody[]) =>
      chunksOf([
        STEP,
        ...others,
        ...call({ a: 1 }),
        STEPPED,
        { type: 'tool-execution-start', ...execution, input: { a: 1 } },
        { type: 'tool-execution-end', ...execution, result },
        FINISH,
      ]).map(({ type }) => type)
    const open: RunEventBody[] = [
      { type: 'tool-call-start', ...hosted },
      { type: 'tool-call-end', ...hosted, input: {} },
    ]
    const ending = ['finish-step', 'start-step', 'finish-step', 'finish']
    expect(typesOf().slice(-4)).to.deep.equal(ending)
    expect(typesOf(...open).slice(-4)).to.deep.equal(ending)
  })

  it('begins a message with its id, its agent and its run', () => {
    const [start] = read(numbered([STEP]), {})
    expect(start).to.deep.equal({
      type: 'start',
      messageId: 'message-1',
      messageMetadata: { agent: 'published', runId: 'run-1', createdAt: 1_700_000_000_123 },
    })
  })

  it('ends a step where the results of its calls are there', () => {
    const next: RunEventBody = { ...STEP, step: 2 }
    const types = chunksOf([STEP, ...call({ a: 1 }), STEPPED, executed(1), next]).map(
      ({ type }) => type,
    )
    expect(types).to.deep.equal([
      'start-step',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-available',
      'tool-output-available',
      'finish-step',
      'start-step',
    ])
  })

  it('closes what is open before the ending', () => {
    const chunks = chunksOf([
      STEP,
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hel' },
      ...call({}).slice(0, 2),
      { type: 'error', error: { code: 'STREAM_INTERRUPTED', message: 'socket to 10.0.0.1 lost' } },
    ])
    expect(chunks.slice(-4)).to.deep.equal([
      { type: 'text-end', id: 'text-1.1' },
      {
        type: 'tool-input-error',
        toolCallId: 'c1',
        toolName: 'add',
        input: '{"a":1}',
        dynamic: true,
        errorText: 'The arguments are not valid JSON.',
      },
      { type: 'finish-step' },
      {
        type: 'error',
        errorText: 'The stream of the model API ended too early. (STREAM_INTERRUPTED)',
      },
    ])
  })

  it('shows what was said to the run, and shows it again to a client that drops a step', () => {
    const said = (text: string): RunEventBody => ({
      type: 'steering',
      message: { id: 'u2', role: 'user', parts: [{ type: 'text', text }] },
    })
    const reset: RunEventBody = { type: 'step-reset', step: 1, reason: 'again' }
    const shown = { type: 'data-steering', id: 'u2', data: { text: 'Be brief.' } }
    const bodies = [STEP, said('Be brief.'), reset]
    expect(chunksOf(bodies, { sdk: 7 })).to.deep.equal([
      { type: 'start-step' },
      shown,
      { type: 'reset-step' },
      shown,
    ])
    expect(chunksOf(bodies, { sdk: 6 })).to.deep.equal([{ type: 'start-step' }, shown])
    const later = chunksOf([...bodies, { ...STEP, step: 2 }, reset], { sdk: 7 })
    expect(later.slice(-2)).to.deep.equal([{ type: 'start-step' }, { type: 'reset-step' }])
  })

  it('says nothing after the ending', () => {
    const encoder = uiMessageEncoder(factsOf())
    const [finish, late] = numbered([FINISH, { type: 'text-start', id: 'late' }])
    expect(encoder.encode(finish!)).to.match(/data: \[DONE\]\n\n$/)
    expect(encoder.encode(late!)).to.equal('')
  })

  it('shows no text that nothing was written into', () => {
    const empty: RunEventBody[] = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: '' },
      { type: 'text-end', id: 't' },
    ]
    expect(chunksOf(empty)).to.deep.equal([])
  })

  it('ends with usage and the reason in the metadata, and with the reason itself for those who take it', () => {
    const usage = { input: 5, output: 7, raw: { provider: 'own count' } }
    const ending: RunEventBody = { ...FINISH, finishReason: 'length', usage }
    const messageMetadata = { finishReason: 'length', usage: { input: 5, output: 7 } }
    expect(chunksOf([ending])).to.deep.equal([{ type: 'finish', messageMetadata }])
    expect(chunksOf([ending], { sdk: 6 })).to.deep.equal([
      { type: 'finish', finishReason: 'length', messageMetadata },
    ])
  })

  it('adds up the cost that plugins wrote into all messages, and tells none where one has none', () => {
    const answer = (total?: unknown): Message => ({
      role: 'assistant',
      parts: [],
      metadata: total === undefined ? {} : { cost: { total, currency: 'USD' } },
    })
    const usageFor = (...messages: readonly Message[]) => {
      const [chunk] = chunksOf([{ ...FINISH, usage: { input: 1 }, messages }])
      return (chunk as { messageMetadata?: { usage?: object } }).messageMetadata?.usage
    }
    const result: Message = { role: 'tool', parts: [] }
    expect(usageFor(answer(0.1), result, answer(0.2))).to.deep.equal({ input: 1, cost: 0.3 })
    expect(usageFor(answer(0.1), answer())).to.deep.equal({ input: 1 })
    expect(usageFor(answer('1'))).to.deep.equal({ input: 1 })
    expect(usageFor()).to.deep.equal({ input: 1 })
  })

  it("leaves the client's own tools to the client, which knows them by name", () => {
    const chunks = chunksOf(call({ a: 1 }, 'mine'), {}, factsOf('mine'))
    expect(chunks.at(-1)).to.deep.equal({
      type: 'tool-input-available',
      toolCallId: 'c1',
      toolName: 'mine',
      input: { a: 1 },
    })
  })

  it('tells progress as preliminary outputs, failures as texts, and no native results', () => {
    const progress: RunEventBody = { type: 'tool-execution-progress', callId: 'c1', progress: 50 }
    const chunks = chunksOf([
      ...call({}),
      progress,
      executed({ native: { anthropic: ['sealed'] }, output: 'open' }),
      executed({ why: 'no' }, true),
    ])
    expect(chunks.slice(-3)).to.deep.equal([
      {
        type: 'tool-output-available',
        toolCallId: 'c1',
        output: 50,
        dynamic: true,
        preliminary: true,
      },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'open', dynamic: true },
      { type: 'tool-output-error', toolCallId: 'c1', errorText: '{"why":"no"}', dynamic: true },
    ])
  })

  it('AL-04 tells what child runs do as data that is no part of the message', () => {
    const progress = { runId: 'k1', agent: 'a', depth: 1, lane: 'subagent', parentRunId: 'run-1' }
    const event = { type: 'tool-execution-progress', callId: 'c1', progress } as const
    const chunks = chunksOf([...call({}), { ...event, isChild: true }])
    expect(chunks.at(-1)).to.deep.equal({
      type: 'data-subagent',
      id: 'k1',
      data: { callId: 'c1', ...progress },
      transient: true,
    })
  })

  it('LT-05 LT-09 tells from version 6 on why a call failed, and where its result is, as metadata', () => {
    const error = { class: 'timeout', retryable: true } as const
    const references = [{ hash: 'f'.repeat(64), mediaType: 'text/plain', size: 1 }]
    const own = { p: { id: 'r1' } }
    const result = { type: 'tool-result', callId: 'c1', name: 'add', output: 'x' } as const
    const ended = (more: object): RunEventBody => ({
      type: 'tool-execution-end',
      callId: 'c1',
      result: { ...result, ...more },
    })
    const events = [
      ...call({}),
      ended({ isError: true, error, providerMetadata: own }),
      ended({ references }),
      ended({}),
    ]
    const told = (sdk: 5 | 6 | 7) =>
      chunksOf(events, { sdk })
        .slice(-3)
        .map(({ providerMetadata }) => providerMetadata)
    expect(told(7)).to.deep.equal([
      { ...own, braidwork: { error } },
      { braidwork: { references } },
      undefined,
    ])
    expect(told(6)).to.deep.equal(told(7))
    expect(told(5)).to.deep.equal([undefined, undefined, undefined])
  })

  it('tells the name of a file in its metadata, for which a chunk has no field', () => {
    const file = { type: 'file', mediaType: 'text/csv', data: 'YSxi', name: 'table.csv' } as const
    const told = { type: 'file', mediaType: 'text/csv', url: 'data:text/csv;base64,YSxi' }
    const named = { braidwork: { filename: 'table.csv' } }
    const own = { own: { id: 1 } }
    expect(chunksOf([file, { ...file, providerMetadata: own }])).to.deep.equal([
      { ...told, providerMetadata: named },
      { ...told, providerMetadata: { ...own, ...named } },
    ])
  })

  it('gives a page no address that it should not follow', () => {
    const url = 'javascript:alert(1)'
    expect(
      chunksOf([
        { type: 'source', url, title: 'Click' },
        { type: 'file', mediaType: 'text/html', url },
      ]),
    ).to.deep.equal([
      {
        type: 'source-document',
        sourceId: 'source-0.1',
        mediaType: 'text/plain',
        title: 'Click',
      },
    ])
  })

  it('leaves out keys that clients fail at', () => {
    const output = JSON.parse('{"constructor":{"prototype":1,"kept":2},"list":[{"__proto__":3}]}')
    expect(chunksOf([...call({}), executed(output)]).at(-1)?.['output']).to.deep.equal({
      constructor: { kept: 2 },
      list: [{}],
    })
  })

  it('asks for approvals by a data part where there is no word for them', () => {
    const chunks = chunksOf([...call({ a: 1 }), ASKED, answered(true)])
    const data = { approvalId: 'a1', toolCallId: 'c1', toolName: 'add', input: { a: 1 } }
    expect(chunks.slice(-2)).to.deep.equal([
      { type: 'data-approval', id: 'a1', data: { ...data, state: 'required' } },
      {
        type: 'data-approval',
        id: 'a1',
        data: { ...data, state: 'resolved', approved: true, reason: 'because' },
      },
    ])
  })

  it('tells an answer to an approval that was asked for in an earlier leg', () => {
    const data = { approvalId: 'a1', toolCallId: 'c1', state: 'resolved' }
    expect(chunksOf([answered(true)]).at(-1)).to.deep.equal({
      type: 'data-approval',
      id: 'a1',
      data: { ...data, approved: true, reason: 'because' },
    })
  })

  it('asks for approvals by their own chunk from 6 on, and tells the answer from 7 on', () => {
    const bodies = [...call({ a: 1 }), ASKED, answered(false), executed('no', true)]
    const request = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }
    const denied = { type: 'tool-output-denied', toolCallId: 'c1' }
    expect(chunksOf(bodies, { sdk: 6 }).slice(-2)).to.deep.equal([request, denied])
    expect(chunksOf(bodies, { sdk: 7 }).slice(-3)).to.deep.equal([
      request,
      { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'because' },
      denied,
    ])
  })

  it('goes on with calls of an earlier leg, for a client that has them and for one that has not', () => {
    const execution = {
      type: 'tool-execution-start',
      callId: 'c1',
      name: 'add',
      input: { a: 1 },
    } as const
    const leg: RunEventBody[] = [answered(true), execution, executed(3), FINISH]
    for (const options of ALL) {
      const types = chunksOf(leg, options).map(({ type }) => type)
      expect(types.filter((type) => type !== 'data-approval')).to.deep.equal([
        'tool-input-available',
        'tool-output-available',
        'start-step',
        'finish-step',
        'finish',
      ])
    }
  })

  it('takes back a step that begins anew, where the client can', () => {
    const text: RunEventBody[] = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'wrong' },
    ]
    const reset: RunEventBody = { type: 'step-reset', step: 1, reason: 'again' }
    const typesFor = (sdk: 6 | 7) =>
      chunksOf([STEP, ...text, reset], { sdk }).map(({ type }) => type)
    expect(typesFor(7)).to.deep.equal(['start-step', 'text-start', 'text-delta', 'reset-step'])
    expect(typesFor(6)).to.deep.equal(['start-step', 'text-start', 'text-delta', 'text-end'])
  })

  for (const options of ALL) {
    describe(`for ${options.sdk ?? 'all'}`, () => {
      const encoder = (facts: RunFacts) => uiMessageEncoder(facts, options)
      writesEveryRun({ encoder, checker: () => new UiMessageStreamChecker(options) })
      const checker = () => new UiMessageStreamChecker({ ...options, continues: true })
      writesWhatIsLeft({ encoder, checker })
    })
  }
})
