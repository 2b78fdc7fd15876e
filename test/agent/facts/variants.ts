import { NO_PROGRESS } from '../../../src/agent/stop/progress.ts'
import type { RunEvent, RunEventBody, ToolResultPart } from '../../../src/plugin/events/index.ts'

type Variants = { readonly [T in RunEvent['type']]: readonly (RunEventBody & { type: T })[] }

const MODEL = { id: 'fast', provider: 'openai', model: 'gpt-5-mini' }
const SLOW = { id: 'slow', provider: 'openai', model: 'gpt-5' }
const HOOK = { plugin: 'guard', hook: 'editToolCall', reason: 'a path', input: { x: 2 } } as const
const RESULT: ToolResultPart = {
  type: 'tool-result',
  callId: 'c',
  name: 'add',
  output: 'begins so',
  references: [{ hash: 'f'.repeat(64), mediaType: 'text/plain', size: 100_000 }],
  artifacts: [{ uri: 'file:///notes.md', title: 'Notes' }],
  evidence: ['https://example.com/1'],
}
const FAILED: ToolResultPart = {
  type: 'tool-result',
  callId: 'c',
  name: 'add',
  output: 'no',
  isError: true,
}
const FAILURE = {
  type: 'model-failed',
  step: 1,
  model: MODEL,
  attempt: 1,
  error: { code: 'RATE_LIMITED', status: 429, retryAfter: 3 },
  isShown: false,
  breaker: 'closed',
  reason: 'busy',
} as const
const CHOICE = {
  type: 'model-chosen',
  requested: 'any',
  excluded: [],
  chosen: MODEL,
  reason: 'first',
} as const
const ASKED = { approvalId: 'a', callId: 'c', name: 'add', input: { x: 1 } } as const
const ANSWERED = { approvalId: 'a', callId: 'c', approved: true } as const

/** Events of each type that together become all facts that the type may become. */
export const VARIANTS: Variants = {
  start: [{ type: 'start', requestId: 'r' }],
  'step-start': [{ type: 'step-start', step: 1, requestId: 'r' }],
  'step-finish': [
    { type: 'step-finish', step: 1, finishReason: 'stop', usage: { input: 1 }, messages: [] },
  ],
  'text-start': [{ type: 'text-start', id: 't' }],
  'text-delta': [{ type: 'text-delta', id: 't', delta: 'Hi' }],
  'text-end': [{ type: 'text-end', id: 't' }],
  'reasoning-start': [{ type: 'reasoning-start', id: 'r' }],
  'reasoning-delta': [{ type: 'reasoning-delta', id: 'r', delta: 'Hm' }],
  'reasoning-end': [{ type: 'reasoning-end', id: 'r' }],
  'tool-call-start': [{ type: 'tool-call-start', id: 'c', name: 'add' }],
  'tool-call-delta': [{ type: 'tool-call-delta', id: 'c', delta: '{}' }],
  'tool-call-end': [{ type: 'tool-call-end', id: 'c', input: { x: 1 } }],
  'tool-result': [{ ...RESULT, providerExecuted: true }, FAILED],
  file: [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }],
  source: [{ type: 'source', url: 'https://example.com' }],
  data: [
    { type: 'data', name: 'chart', data: 1 },
    { type: 'data', name: 'state', data: 1, transient: true },
  ],
  metadata: [{ type: 'metadata', metadata: { model: 'm' } }],
  'tool-inventory': [
    {
      type: 'tool-inventory',
      tools: [
        {
          tool_name: 'add',
          plugin: 'calculator',
          metadata_ref: 'calculator.add',
          description: 'Adds',
          input_schema: { type: 'object' },
          capabilities: ['read'],
          safety: { is_read_only: true },
          policy: 'allowed',
          runtime_owner: 'local',
          offered: true,
        },
        {
          tool_name: 'braille',
          plugin: 'braille',
          metadata_ref: 'braille',
          capabilities: [],
          safety: {},
          policy: 'unavailable',
          runtime_owner: 'local',
          offered: false,
          reason: 'missing tags: braille',
        },
        {
          tool_name: 'write',
          metadata_ref: 'files.write',
          capabilities: ['write'],
          safety: {},
          policy: 'denied',
          runtime_owner: 'local',
          offered: false,
          reason: 'The policy denies it.',
        },
      ],
    },
  ],
  'model-chosen': [
    { ...CHOICE, candidates: [MODEL] },
    { ...CHOICE, candidates: [MODEL, SLOW], excluded: [{ ...SLOW, reason: 'no images' }] },
  ],
  'context-resolved': [
    {
      type: 'context-resolved',
      step: 1,
      requestId: 'r',
      items: [
        { kind: 'file', ref: 'notes.md', status: 'included', plugin: 'instructions' },
        { kind: 'history', ref: '12 messages', status: 'left_out', reason: 'no room' },
      ],
      omitted: 2,
    },
  ],
  'model-failed': [
    { ...FAILURE, failure: 'rate_limited', next: 'retry', delayMs: 10 },
    { ...FAILURE, next: 'fallback' },
  ],
  'run-resumed': [{ type: 'run-resumed', resumptions: 1, reason: 'the process ended' }],
  steering: [
    { type: 'steering', message: { role: 'user', parts: [{ type: 'text', text: 'Stop.' }] } },
  ],
  'run-state': [{ type: 'run-state', step: 1, progress: NO_PROGRESS, values: { goals: 1 } }],
  'hook-fault': [
    { type: 'hook-fault', phase: 'step_end', plugin: 'p', key: 'k', message: 'failed' },
  ],
  'step-reset': [{ type: 'step-reset', step: 1, reason: 'again' }],
  'tool-execution-start': [
    {
      type: 'tool-execution-start',
      callId: 'c',
      name: 'add',
      input: { x: 1 },
      plugin: 'calculator',
      safety: { is_read_only: true },
      policy: { decision: 'allow', source: 'default', reason: 'reads' },
      hooks: [HOOK],
    },
  ],
  'tool-execution-progress': [{ type: 'tool-execution-progress', callId: 'c', progress: 1 }],
  'tool-execution-end': [
    {
      type: 'tool-execution-end',
      callId: 'c',
      result: RESULT,
      state: 'succeeded',
      hooks: [{ plugin: 'redact', hook: 'editToolResult', reason: 'a secret' }],
    },
    {
      type: 'tool-execution-end',
      callId: 'c',
      result: FAILED,
      state: 'canceled',
      error: { class: 'canceled', retryable: false },
    },
  ],
  'compaction-start': [{ type: 'compaction-start', compactionId: 'x', trigger: 'threshold' }],
  'compaction-end': [
    {
      type: 'compaction-end',
      compactionId: 'x',
      done: {
        preview: 'They greeted each other.',
        replaced: 8,
        runIds: ['r0', 'r1'],
        entryId: 'e9',
        keptFrom: 'e8',
        tokens: { before: 9000, after: 900 },
      },
    },
    {
      type: 'compaction-end',
      compactionId: 'z',
      done: {
        preview: 'in short',
        replaced: 8,
        runIds: ['r1'],
        tokens: { before: 9000, after: 900 },
        within: { step: 3, summary: 'in short', archive: 'a'.repeat(64) },
      },
      usage: { input: 10, output: 2 },
    },
    { type: 'compaction-end', compactionId: 'p', done: { preview: 'so far', runIds: ['r1'] } },
    {
      type: 'compaction-end',
      compactionId: 'y',
      error: { code: 'COMPACTION_FAILED', message: 'it is empty' },
    },
  ],
  'tool-execution-late': [
    { type: 'tool-execution-late', callId: 'c', result: RESULT, state: 'succeeded' },
  ],
  'approval-required': [
    { type: 'approval-required', ...ASKED, expiresAt: '2026-01-01T00:00:00.000Z' },
    { type: 'approval-required', ...ASKED, isQuestion: true },
  ],
  'approval-resolved': [
    { type: 'approval-resolved', ...ANSWERED },
    { type: 'approval-resolved', ...ANSWERED, isQuestion: true },
  ],
  finish: [{ type: 'finish', finishReason: 'stop', usage: {}, messages: [] }],
  error: [{ type: 'error', error: { code: 'TIMEOUT', message: 'late' } }],
  abort: [{ type: 'abort', reason: 'stopped' }],
}
