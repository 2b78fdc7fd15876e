import { type EventOf, type FactDraft, type FactSources, stepIdOf, type Told } from './fact.ts'

/** Facts about a run as a whole, and about what people and features do to it. */
export const RUN_SOURCES: FactSources<
  | 'start'
  | 'tool-inventory'
  | 'run-resumed'
  | 'steering'
  | 'run-state'
  | 'hook-fault'
  | 'compaction-start'
  | 'compaction-end'
  | 'approval-required'
  | 'approval-resolved'
  | 'finish'
  | 'error'
  | 'abort'
> = {
  start: {
    classes: ['session.created', 'thread.started', 'turn.submitted', 'turn.started', 'run.status'],
    facts: begun,
  },
  'tool-inventory': {
    classes: ['tool.catalog.resolved'],
    facts: ({ seq, tools }, { runId, step }) => [
      {
        type: 'tool.catalog.resolved',
        stepId: stepIdOf(runId, step),
        // LR-16: the profile asks each fact about tools for a call, and the catalog belongs to none.
        toolCallId: `${runId}/catalog-${seq}`,
        payload: { tools },
      },
    ],
  },
  'run-resumed': {
    classes: ['run.status'],
    facts: ({ reason, resumptions }) => [
      { type: 'run.status', payload: { status: 'running', reason, resumptions } },
    ],
  },
  steering: {
    classes: ['queue.changed'],
    facts: ({ message }) => [{ type: 'queue.changed', payload: { change: 'entered', message } }],
  },
  'run-state': {
    classes: ['snapshot.updated'],
    facts: ({ step, commit, progress, values }) => [
      { type: 'snapshot.updated', payload: { step, commit, progress, keys: Object.keys(values) } },
    ],
  },
  'hook-fault': {
    classes: ['hook.failed'],
    facts: ({ phase, plugin, key, message }) => [
      { type: 'hook.failed', payload: { phase, plugin, key, message } },
    ],
  },
  'compaction-start': {
    classes: ['context.compaction.started'],
    facts: ({ compactionId, trigger }) => [
      { type: 'context.compaction.started', payload: { compactionId, trigger } },
    ],
  },
  'compaction-end': {
    classes: ['context.compaction.completed', 'context.compaction.failed'],
    facts: compacted,
  },
  'approval-required': {
    classes: ['permission.requested', 'action.required'],
    facts: required,
  },
  'approval-resolved': {
    classes: ['permission.resolved', 'action.resolved'],
    facts: resolved,
  },
  finish: {
    classes: ['turn.completed', 'run.status'],
    facts: ({ finishReason, usage, termination }, { open }) => {
      const isWaiting = open.size > 0
      const status = isWaiting ? 'waiting' : 'completed'
      const payload = { status, finishReason, usage, termination }
      return [
        ...(isWaiting ? [] : [{ type: 'turn.completed', payload } as const]),
        { type: 'run.status', payload: { status, waitsFor: isWaiting ? [...open] : undefined } },
      ]
    },
  },
  error: {
    classes: ['runtime.error', 'turn.failed', 'run.status'],
    facts: ({ error }) => [
      { type: 'runtime.error', payload: error },
      { type: 'turn.failed', payload: { status: 'failed', code: error.code } },
      { type: 'run.status', payload: { status: 'failed' } },
    ],
  },
  abort: {
    classes: ['turn.failed', 'run.status'],
    facts: ({ reason }) => [
      { type: 'turn.failed', payload: { status: 'canceled', reason } },
      { type: 'run.status', payload: { status: 'canceled' } },
    ],
  },
}

/** A run begins with its first event. A `start` after that begins another leg of it. */
function begun({ seq }: EventOf<'start'>, { isFirstRun }: Told): readonly FactDraft[] {
  const running: FactDraft = { type: 'run.status', payload: { status: 'running' } }
  if (seq > 0) return [running]
  const session: readonly FactDraft[] = [
    { type: 'session.created', payload: {} },
    { type: 'thread.started', payload: {} },
  ]
  return [
    ...(isFirstRun ? session : []),
    { type: 'turn.submitted', payload: { status: 'accepted' } },
    { type: 'turn.started', payload: {} },
    running,
  ]
}

/** LR-07 */
function compacted(event: EventOf<'compaction-end'>): readonly FactDraft[] {
  const { compactionId, done, error } = event
  if (!done) return [{ type: 'context.compaction.failed', payload: { compactionId, error } }]
  const {
    preview: summaryPreview,
    runIds: affectedTurns,
    entryId,
    keptFrom,
    replaced,
    tokens,
  } = done
  const goesOn = { summaryEntryId: entryId, firstKeptEntryId: keptFrom }
  const payload = { compactionId, summaryPreview, affectedTurns, replaced, tokens, goesOn }
  return [{ type: 'context.compaction.completed', payload }]
}

function required(event: EventOf<'approval-required'>, told: Told): readonly FactDraft[] {
  const { approvalId: actionId, callId, name: toolName, input, hooks, expiresAt } = event
  const ids = { actionId, toolCallId: callId, stepId: stepIdOf(told.runId, told.step) }
  const isQuestion = event.isQuestion === true
  const payload = {
    actionType: isQuestion ? 'question' : 'tool_permission',
    decisionKind: isQuestion ? 'answer' : 'allow_or_deny',
    toolName,
    input,
    hooks,
    expiresAt,
  }
  const asked: FactDraft = { type: 'permission.requested', ...ids, payload: { toolName } }
  return [...(isQuestion ? [] : [asked]), { type: 'action.required', ...ids, payload }]
}

function resolved(event: EventOf<'approval-resolved'>, told: Told): readonly FactDraft[] {
  const { approvalId: actionId, callId, approved, reason, isQuestion } = event
  const ids = { actionId, toolCallId: callId, stepId: stepIdOf(told.runId, told.step) }
  const payload = { approved, reason }
  const decided: FactDraft = { type: 'permission.resolved', ...ids, payload }
  return [...(isQuestion ? [] : [decided]), { type: 'action.resolved', ...ids, payload }]
}
