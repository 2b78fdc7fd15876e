import { NO_PROGRESS } from '../src/agent/stop/progress.ts'
import type { RunEvent, RunEventBody } from '../src/plugin/events/index.ts'
import type { RunFacts, StreamEncoder } from '../src/server/wire/protocol.ts'
import { sseFrames } from '../test/server/wire/frames.ts'

/** An event of a run, and the events that must precede it. */
interface Sample {
  readonly before?: readonly RunEventBody[]
  readonly event: RunEventBody
}

const MODEL = { id: 'fast', provider: 'openai', model: 'gpt-5-mini' }
const STEP: RunEventBody = { type: 'step-start', step: 1, requestId: 'r' }
const TEXT: RunEventBody = { type: 'text-start', id: 't' }
const SAID: RunEventBody = { type: 'text-delta', id: 't', delta: 'Hi' }
const REASONING: RunEventBody = { type: 'reasoning-start', id: 'r' }
const CALL: RunEventBody = { type: 'tool-call-start', id: 'c', name: 'add' }
const CALLED: readonly RunEventBody[] = [CALL, { type: 'tool-call-end', id: 'c', input: {} }]
const RESULT = { type: 'tool-result', callId: 'c', name: 'add', output: 1 } as const
const ASKED: RunEventBody = {
  type: 'approval-required',
  approvalId: 'a',
  callId: 'c',
  name: 'add',
  input: {},
}

/** One sample for each type of event. The type check fails if one is missing. */
const SAMPLES: { readonly [T in RunEvent['type']]: Sample } = {
  start: { event: { type: 'start', requestId: 'r' } },
  'step-start': { event: STEP },
  'text-start': { before: [STEP], event: TEXT },
  'text-delta': { before: [STEP, TEXT, SAID], event: SAID },
  'text-end': { before: [STEP, TEXT, SAID], event: { type: 'text-end', id: 't' } },
  'reasoning-start': { before: [STEP], event: REASONING },
  'reasoning-delta': {
    before: [STEP, REASONING],
    event: { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
  },
  'reasoning-end': { before: [STEP, REASONING], event: { type: 'reasoning-end', id: 'r' } },
  'tool-call-start': { before: [STEP], event: CALL },
  'tool-call-delta': {
    before: [STEP, CALL],
    event: { type: 'tool-call-delta', id: 'c', delta: '{}' },
  },
  'tool-call-end': {
    before: [STEP, CALL, { type: 'tool-call-delta', id: 'c', delta: '{}' }],
    event: { type: 'tool-call-end', id: 'c', input: {} },
  },
  'tool-result': {
    before: [STEP, ...CALLED],
    event: { ...RESULT, providerExecuted: true },
  },
  file: { before: [STEP], event: { type: 'file', mediaType: 'image/png', data: '' } },
  source: { before: [STEP], event: { type: 'source', url: 'https://example.com' } },
  data: { before: [STEP], event: { type: 'data', name: 'chart', data: 1 } },
  metadata: { before: [STEP], event: { type: 'metadata', metadata: { model: 'm' } } },
  'step-finish': {
    before: [STEP],
    event: { type: 'step-finish', step: 1, finishReason: 'stop', usage: {}, messages: [] },
  },
  'tool-inventory': { before: [STEP], event: { type: 'tool-inventory', tools: [] } },
  'model-chosen': {
    event: {
      type: 'model-chosen',
      requested: 'fast',
      candidates: [MODEL],
      excluded: [],
      chosen: MODEL,
      reason: 'It is the only candidate.',
    },
  },
  'context-resolved': {
    before: [STEP],
    event: {
      type: 'context-resolved',
      step: 1,
      requestId: 'r',
      items: [{ kind: 'file', ref: 'notes.md', status: 'included', plugin: 'instructions' }],
      omitted: 0,
    },
  },
  'model-failed': {
    before: [STEP],
    event: {
      type: 'model-failed',
      step: 1,
      model: MODEL,
      attempt: 1,
      error: { code: 'OVERLOADED', status: 529 },
      failure: 'overloaded',
      isShown: false,
      breaker: 'closed',
      next: 'retry',
      delayMs: 2000,
      reason: 'Such a failure may be repeated.',
    },
  },
  'run-resumed': {
    before: [STEP],
    event: { type: 'run-resumed', resumptions: 1, reason: 'The process ended.' },
  },
  steering: {
    before: [STEP],
    event: { type: 'steering', message: { role: 'user', parts: [{ type: 'text', text: 'Also' }] } },
  },
  'run-state': {
    before: [STEP],
    event: { type: 'run-state', step: 1, progress: NO_PROGRESS, values: {} },
  },
  'hook-fault': {
    before: [STEP],
    event: { type: 'hook-fault', phase: 'step_end', plugin: 'p', key: 'k', message: 'failed' },
  },
  'step-reset': { before: [STEP], event: { type: 'step-reset', step: 1, reason: 'again' } },
  'tool-execution-start': {
    before: [STEP, ...CALLED],
    event: { type: 'tool-execution-start', callId: 'c', name: 'add', input: {} },
  },
  'tool-execution-progress': {
    before: [STEP, ...CALLED],
    event: { type: 'tool-execution-progress', callId: 'c', progress: 1 },
  },
  'tool-execution-end': {
    before: [STEP, ...CALLED],
    event: { type: 'tool-execution-end', callId: 'c', result: RESULT },
  },
  'compaction-start': {
    before: [STEP],
    event: { type: 'compaction-start', compactionId: 'x', trigger: 'threshold' },
  },
  'compaction-end': {
    before: [STEP],
    event: {
      type: 'compaction-end',
      compactionId: 'x',
      done: {
        preview: 'They greeted each other.',
        replaced: 8,
        runIds: ['1'],
        entryId: 'e',
        tokens: { before: 9000, after: 900 },
      },
    },
  },
  'tool-execution-late': {
    before: [STEP, ...CALLED, { type: 'abort', reason: 'stopped' }],
    event: {
      type: 'tool-execution-late',
      callId: 'c',
      result: RESULT,
      state: 'succeeded',
    },
  },
  'approval-required': { before: [STEP, ...CALLED], event: ASKED },
  'approval-resolved': {
    before: [STEP, ...CALLED, ASKED],
    event: { type: 'approval-resolved', approvalId: 'a', callId: 'c', approved: true },
  },
  finish: { event: { type: 'finish', finishReason: 'stop', usage: {}, messages: [] } },
  error: { event: { type: 'error', error: { code: 'TIMEOUT', message: 'late' } } },
  abort: { event: { type: 'abort', reason: 'stopped' } },
}

const FACTS: RunFacts = {
  runId: 'run',
  messageId: 'message',
  agent: 'agent',
  createdAt: 0,
  clientTools: new Set(),
}

/** The frame types that an encoder writes for each type of event. */
export function writtenBy(
  encoderOf: (facts: RunFacts) => StreamEncoder,
): ReadonlyMap<string, readonly string[]> {
  const samples = Object.entries(SAMPLES)
  return new Map(samples.map(([type, sample]) => [type, typesOf(encoderOf(FACTS), sample)]))
}

function typesOf(encoder: StreamEncoder, { before = [], event }: Sample): readonly string[] {
  const start: RunEventBody = { type: 'start', requestId: 'r' }
  const bodies = event.type === 'start' ? [event] : [start, ...before, event]
  const frames = bodies.map((body, seq) => encoder.encode({ ...body, runId: 'run', seq }))
  return namesIn(frames.at(-1) ?? '')
}

function namesIn(text: string): readonly string[] {
  return sseFrames(text).map(({ data }) => (data.startsWith('{') ? nameIn(data) : data))
}

/** The type of a frame, or its only member, where a protocol names the type by that. */
function nameIn(data: string): string {
  const frame = JSON.parse(data) as { readonly type?: string }
  return frame.type ?? Object.keys(frame).join(' ')
}
