import { expect } from 'chai'
import type { RunEventBody } from '../../../../src/plugin/events/index.ts'
import { type AgUiStreamOptions, agUiEncoder } from '../../../../src/server/wire/ag-ui/index.ts'
import { sseFrames } from '../frames.ts'
import { writesEveryRun, writesWhatIsLeft } from '../protocol-suites.ts'
import { factsOf, numbered } from '../runs.ts'
import { AgUiChecker } from './checker.ts'

type Event = { readonly type: string; readonly [field: string]: unknown }

/** What is written of events, checked; without the beginning of the run. */
function eventsOf(
  bodies: readonly RunEventBody[],
  facts = factsOf(),
  options: AgUiStreamOptions = {},
): readonly Event[] {
  const encoder = agUiEncoder(facts, options)
  const checker = new AgUiChecker()
  const text = numbered(bodies)
    .map((event) => encoder.encode(event))
    .join('')
  checker.check(text)
  const [, ...events] = sseFrames(text).map(({ data }) => JSON.parse(data) as Event)
  return events
}

function typesOf(bodies: readonly RunEventBody[], facts = factsOf()): readonly string[] {
  return eventsOf(bodies, facts).map(({ type }) => type)
}

const STEP = { type: 'step-start', step: 1, requestId: 'r' } as const
const FINISH = { type: 'finish', finishReason: 'stop', usage: {}, messages: [] } as const
const ASKED = {
  type: 'approval-required',
  approvalId: 'a1',
  callId: 'c1',
  name: 'rm',
  input: {},
  expiresAt: '2030-01-01T00:00:00Z',
} as const

function call(id: string, name = 'add'): RunEventBody[] {
  return [
    { type: 'tool-call-start', id, name },
    { type: 'tool-call-delta', id, delta: '{"a":' },
    { type: 'tool-call-delta', id, delta: '1}' },
    { type: 'tool-call-end', id, input: { a: 1 } },
  ]
}

function executed(callId: string, output: unknown, more: object = {}): RunEventBody {
  const result = { type: 'tool-result', callId, name: 'add', output, ...more } as const
  return { type: 'tool-execution-end', callId, result }
}

const CHILD = { agent: 'a', lane: 'subagent', depth: 1, parentRunId: 'run-1' } as const

/** What a call tells of a child run. */
function child(runId: string, more: object = {}, callId = 'c1'): RunEventBody {
  const progress = { ...CHILD, runId, ...more }
  return { type: 'tool-execution-progress', callId, progress, isChild: true }
}

describe('the encoder of AG-UI', () => {
  it('begins the run that the client asked for, in its thread', () => {
    const facts = { ...factsOf(), conversationId: 'thread-1' }
    const encoder = agUiEncoder(facts, { clientRunId: 'mine' })
    const [start] = sseFrames(encoder.encode(numbered([STEP])[0]!))
    expect(JSON.parse(start!.data)).to.deep.equal({
      type: 'RUN_STARTED',
      threadId: 'thread-1',
      runId: 'mine',
      protocolVersion: '1.0',
    })
  })

  it('LR-14 gives each of its events the time of the event that it is sent for', () => {
    const encoder = agUiEncoder(factsOf())
    const bodies: RunEventBody[] = [
      STEP,
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'A brace and two lines}\n\n' },
      ...call('c'),
      FINISH,
    ]
    const events = numbered(bodies).map((event) => ({ ...event, at: 1000 + event.seq }))
    const times = events.map((event) =>
      sseFrames(encoder.encode(event)).map(({ data }) => (JSON.parse(data) as Event)['timestamp']),
    )
    expect(times).to.deep.equal([
      [1000, 1000],
      [],
      [1002, 1002],
      [1003],
      [1004],
      [1005],
      [1006],
      [1007, 1007, 1007],
    ])
  })

  it("LR-14 writes a part's own fields into its event, and nothing of the run's", () => {
    const [event] = numbered([{ type: 'data', name: 'd', data: { at: 1 } }])
    const frames = sseFrames(agUiEncoder(factsOf()).encode({ ...event!, at: 5 }))
    const { value } = JSON.parse(frames.at(-1)!.data) as Event
    expect(value).to.deep.equal({ name: 'd', data: { at: 1 } })
  })

  it('LR-14 tells no time of events that were stored without one', () => {
    const [start] = sseFrames(agUiEncoder(factsOf()).encode(numbered([STEP])[0]!))
    expect(JSON.parse(start!.data)).not.to.have.property('timestamp')
  })

  it('tells reasoning and text as messages, with what the provider said of them', () => {
    const facts = { providerMetadata: { anthropic: { signature: 's' } } }
    const events = eventsOf([
      STEP,
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r', ...facts },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Hi' },
      { type: 'text-end', id: 't' },
    ])
    const thought = { messageId: 'message-1.1.reasoning-1' }
    const said = { messageId: 'message-1.1' }
    expect(events.slice(1)).to.deep.equal([
      { type: 'REASONING_START', ...thought },
      { type: 'REASONING_MESSAGE_START', ...thought, role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', ...thought, delta: 'Hm' },
      { type: 'REASONING_MESSAGE_END', ...thought },
      { type: 'REASONING_END', ...thought },
      {
        type: 'REASONING_ENCRYPTED_VALUE',
        subtype: 'message',
        entityId: thought.messageId,
        encryptedValue: '{"anthropic":{"signature":"s"}}',
      },
      { type: 'TEXT_MESSAGE_START', ...said, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', ...said, delta: 'Hi' },
      { type: 'TEXT_MESSAGE_END', ...said },
    ])
  })

  it('tells calls that come at the same time one after the other, with their results', () => {
    const [start1, first1, rest1, end1] = call('c1')
    const [start2, first2, rest2, end2] = call('c2')
    const result = { type: 'tool-result', callId: 'c2', name: 'add', output: 2 } as const
    const mixed = [start1!, first1!, start2!, first2!, rest2!, end2!, result, rest1!, end1!]
    const told = eventsOf(mixed).map(({ type, toolCallId, delta }) => [type, toolCallId, delta])
    expect(told).to.deep.equal([
      ['TOOL_CALL_START', 'c1', undefined],
      ['TOOL_CALL_ARGS', 'c1', '{"a":'],
      ['TOOL_CALL_ARGS', 'c1', '1}'],
      ['TOOL_CALL_END', 'c1', undefined],
      ['TOOL_CALL_START', 'c2', undefined],
      ['TOOL_CALL_ARGS', 'c2', '{"a":1}'],
      ['TOOL_CALL_END', 'c2', undefined],
      ['TOOL_CALL_RESULT', 'c2', undefined],
    ])
  })

  it('tells arguments that came as a value alone', () => {
    const events = eventsOf([
      { type: 'tool-call-start', id: 'c1', name: 'add' },
      { type: 'tool-call-end', id: 'c1', input: { a: 1 } },
    ])
    expect(events[1]).to.deep.include({ type: 'TOOL_CALL_ARGS', delta: '{"a":1}' })
  })

  it('tells no arguments of a call that has none', () => {
    const events = eventsOf([
      { type: 'tool-call-start', id: 'c1', name: 'now' },
      { type: 'tool-call-end', id: 'c1', input: undefined },
    ] as never)
    expect(events.map(({ type }) => type)).to.deep.equal(['TOOL_CALL_START', 'TOOL_CALL_END'])
  })

  it('ends a step where the results of its calls are there', () => {
    expect(
      typesOf([STEP, ...call('c1'), executed('c1', 2), { ...STEP, step: 2 }]).slice(-3),
    ).to.deep.equal(['TOOL_CALL_RESULT', 'STEP_FINISHED', 'STEP_STARTED'])
  })

  it('tells results as texts, and whether they failed', () => {
    const results = eventsOf([
      ...call('c1'),
      executed('c1', { sum: 2 }),
      executed('c1', 'No.', { isError: true }),
    ]).slice(-2)
    const about = { type: 'TOOL_CALL_RESULT', messageId: 'message-1.result-c1', toolCallId: 'c1' }
    expect(results).to.deep.equal([
      { ...about, role: 'tool', content: '{"sum":2}' },
      { ...about, role: 'tool', content: 'No.', metadata: { isError: true } },
    ])
  })

  it('LT-05 LT-09 tells why a call failed, and where its result is, as metadata', () => {
    const error = { class: 'timeout', retryable: true }
    const references = [{ hash: 'f'.repeat(64), mediaType: 'text/plain', size: 1 }]
    const events = eventsOf([
      ...call('c1'),
      executed('c1', 'x', { isError: true, error }),
      executed('c1', 'x', { references }),
      executed('c1', 'x'),
    ])
    expect(events.slice(-3).map(({ metadata }) => metadata)).to.deep.equal([
      { isError: true, error },
      { references },
      undefined,
    ])
  })

  it('ends in an interrupt where a call waits for an approval', () => {
    const finish = eventsOf([...call('c1', 'rm'), ASKED, FINISH]).at(-1)
    expect(finish?.['outcome']).to.deep.equal({
      type: 'interrupt',
      interrupts: [
        {
          id: 'a1',
          reason: 'tool_call',
          message: 'May "rm" be run?',
          toolCallId: 'c1',
          responseSchema: {
            type: 'object',
            properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
            required: ['approved'],
          },
          expiresAt: '2030-01-01T00:00:00Z',
          metadata: { kind: 'approval', toolName: 'rm', input: {} },
        },
      ],
    })
  })

  it("names the calls of the client's own tools that wait for it", () => {
    const bodies = [...call('c1'), executed('c1', 1), ...call('c2', 'mine'), FINISH]
    expect(eventsOf(bodies, factsOf('mine')).at(-1)?.['outcome']).to.deep.equal({
      type: 'success',
      pendingToolCallIds: ['c2'],
    })
  })

  it('names no open calls to clients before version 1.0, which refuse what they do not know', () => {
    const bodies = [...call('c2', 'mine'), FINISH]
    const events = eventsOf(bodies, factsOf('mine'), { isBefore1: true })
    expect(events.at(-1)).not.to.have.property('outcome')
    const closed = eventsOf([...call('c1'), executed('c1', 1), FINISH], factsOf('mine'), {
      isBefore1: true,
    })
    expect(closed.at(-1)?.['outcome']).to.deep.equal({ type: 'success' })
  })

  it('tells of the calls that the client may run now, as TanStack AI expects it, but not beside an approval', () => {
    const name = 'tool-input-available'
    const told = (bodies: readonly RunEventBody[], pending: AgUiStreamOptions['pending'] = []) =>
      eventsOf(bodies, factsOf('mine'), { pending }).flatMap((event) =>
        event['name'] === name ? [event['value']] : [],
      )
    const value = { toolCallId: 'c2', toolName: 'mine', input: { a: 1 } }
    const bodies = [...call('c1'), executed('c1', 1), ...call('c2', 'mine')]
    expect(told([...bodies, FINISH])).to.deep.equal([value])
    expect(told([...bodies, executed('c2', 1), FINISH])).to.deep.equal([])
    expect(told([...bodies, ...call('c1', 'rm'), ASKED, FINISH])).to.deep.equal([])
    const pending = { callId: 'c9', name: 'mine', input: { b: 2 } }
    expect(told([FINISH], [pending])).to.deep.equal([
      { toolCallId: 'c9', toolName: 'mine', input: { b: 2 } },
    ])
  })

  it('counts tokens as the protocol does, and leaves out what is not known', () => {
    const usage = { input: 5, output: 7, cacheRead: 3, raw: { secret: 1 } }
    const finish = eventsOf([{ ...FINISH, finishReason: 'length', usage }]).at(-1)
    expect(finish).to.deep.equal({
      type: 'RUN_FINISHED',
      threadId: 'run-1',
      runId: 'run-1',
      outcome: { type: 'success' },
      usage: [
        {
          model: 'published',
          inputTokens: 5,
          outputTokens: 7,
          totalTokens: 12,
          cachedInputTokens: 3,
        },
      ],
      metadata: { finishReason: 'length' },
    })
  })

  it('tells a stop as a run that was cancelled, and an error by its code alone', () => {
    expect(eventsOf([{ type: 'abort', reason: 'secret' }]).at(-1)).to.deep.include({
      outcome: { type: 'cancelled' },
    })
    const error = { code: 'OVERLOADED', message: 'secret' }
    expect(eventsOf([STEP, { type: 'error', error }]).slice(-2)).to.deep.equal([
      { type: 'STEP_FINISHED', stepName: 'step-1' },
      { type: 'RUN_ERROR', message: 'The model API is overloaded.', code: 'OVERLOADED' },
    ])
  })

  it('tells what there is no word for as custom events', () => {
    expect(
      eventsOf([
        { type: 'source', url: 'https://a.test', title: 'A', providerMetadata: { own: {} } },
        { type: 'data', name: 'chart', data: [1], id: 'd' },
      ]),
    ).to.deep.equal([
      { type: 'CUSTOM', name: 'source', value: { url: 'https://a.test', title: 'A' } },
      { type: 'CUSTOM', name: 'data', value: { name: 'chart', data: [1], id: 'd' } },
    ])
  })

  it('tells the progress of a call as an activity of its own', () => {
    const progress = (callId: string, of: unknown) =>
      ({ type: 'tool-execution-progress', callId, progress: of }) as const
    const told = eventsOf([progress('c1', 50), progress('c2', 'begun'), progress('c1', 100)])
    const activity = (toolCallId: string, of: unknown) => ({
      type: 'ACTIVITY_SNAPSHOT',
      messageId: `message-1.progress-${toolCallId}`,
      activityType: 'tool-progress',
      content: { toolCallId, progress: of },
    })
    expect(told).to.deep.equal([activity('c1', 50), activity('c2', 'begun'), activity('c1', 100)])
  })

  const protocol = { encoder: agUiEncoder, checker: () => new AgUiChecker() }
  writesEveryRun(protocol)
  writesWhatIsLeft(protocol)

  const subagentsIn = (...bodies: readonly RunEventBody[]) =>
    eventsOf([STEP, ...call('c1'), ...bodies, FINISH])
      .filter(({ type }) => type.startsWith('SUBAGENT_'))
      .map(({ timestamp: _, ...event }) => event)

  it('AL-04 tells child runs as subagents, each below its call or its parent', () => {
    const deep = { agent: 'b', depth: 2, lane: 'nested', parentRunId: 'k1' }
    const told = subagentsIn(
      child('k1'),
      child('k1', { step: 1 }),
      child('k2', deep),
      child('k2', { ...deep, state: 'failed', message: 'no', code: 'TIMEOUT' }),
      child('k1', { state: 'completed' }),
      executed('c1', 'done'),
    )
    expect(told).to.deep.equal([
      { type: 'SUBAGENT_STARTED', subagentRunId: 'k1', name: 'a', parentToolCallId: 'c1' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 'k2', name: 'b', parentSubagentRunId: 'k1' },
      { type: 'SUBAGENT_ERROR', subagentRunId: 'k2', message: 'no', code: 'TIMEOUT' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 'k1', outcome: { type: 'success' } },
    ])
  })

  it('AL-23 tells of a subagent that waits that it is suspended, and of its end no second time', () => {
    const told = subagentsIn(
      child('k1'),
      child('k1', { state: 'paused' }),
      child('k1'),
      child('k1', { state: 'completed' }),
      executed('c1', 'done'),
    )
    expect(told.map(({ type, outcome }) => [type, outcome])).to.deep.equal([
      ['SUBAGENT_STARTED', undefined],
      ['SUBAGENT_FINISHED', { type: 'suspended' }],
    ])
  })

  it('ends subagents of which no end was told with their call, or with the run', () => {
    const typesIn = (...bodies: readonly RunEventBody[]) =>
      subagentsIn(...bodies).map(({ type, subagentRunId }) => [type, subagentRunId])
    const deep = { depth: 2, parentRunId: 'k1' }
    const open = [child('k1'), child('k2', deep)]
    expect(typesIn(...open, executed('c1', 'done')).slice(2)).to.deep.equal([
      ['SUBAGENT_FINISHED', 'k2'],
      ['SUBAGENT_FINISHED', 'k1'],
    ])
    const failed = [
      ['SUBAGENT_ERROR', 'k2'],
      ['SUBAGENT_ERROR', 'k1'],
    ]
    expect(typesIn(...open, executed('c1', 'no', { isError: true })).slice(2)).to.deep.equal(failed)
    expect(typesIn(...open).slice(2)).to.deep.equal(failed)
  })

  it('makes no subagent of what a tool tells, nor of an end alone', () => {
    const own: RunEventBody = {
      type: 'tool-execution-progress',
      callId: 'c1',
      progress: { ...CHILD, runId: 'k1' },
    }
    expect(subagentsIn(own, child('k2', { state: 'completed' }))).to.deep.equal([])
  })
})
