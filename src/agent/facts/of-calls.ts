import type { ToolHookRecord, ToolResultPart } from '@braidwork/plugin'
import {
  callIds,
  type EventOf,
  type FactDraft,
  type FactSources,
  NOTHING,
  type Told,
} from './fact.ts'
import { callEvidence } from './of-evidence.ts'

/** Facts about calls of tools. */
export const CALL_SOURCES: FactSources<
  | 'tool-call-start'
  | 'tool-call-delta'
  | 'tool-call-end'
  | 'tool-execution-start'
  | 'tool-execution-progress'
  | 'tool-execution-end'
  | 'tool-execution-late'
  | 'tool-result'
> = {
  'tool-call-start': NOTHING,
  'tool-call-delta': {
    classes: ['tool.args'],
    facts: ({ id, delta }, told) => [
      { type: 'tool.args', ...callIds(told, id), payload: { delta } },
    ],
  },
  'tool-call-end': {
    classes: ['tool.args'],
    facts: ({ id, input, providerExecuted }, told) => [
      { type: 'tool.args', ...callIds(told, id), payload: { input, providerExecuted } },
    ],
  },
  'tool-execution-start': {
    classes: ['permission.evaluated', 'hook.completed', 'tool.started'],
    facts: started,
  },
  'tool-execution-progress': {
    classes: ['tool.progress'],
    facts: ({ callId, progress }, told) => [
      { type: 'tool.progress', ...callIds(told, callId), payload: { progress } },
    ],
  },
  'tool-execution-end': {
    classes: [
      'hook.completed',
      'tool.result',
      'tool.failed',
      'output.spilled',
      'artifact.changed',
      'evidence.changed',
    ],
    facts: ({ callId, result, state, error, hooks }, told) => [
      ...hookFacts(hooks, callId, told),
      ended(result, { status: state ?? stateOf(result), error }, told),
      ...callEvidence(result, callIds(told, callId)),
    ],
  },
  'tool-execution-late': {
    classes: ['tool.failed'],
    facts: ({ callId, result, state, error }, told) => [
      {
        type: 'tool.failed',
        ...callIds(told, callId),
        payload: {
          status: 'interrupted',
          isLate: true,
          endedAs: state,
          error,
          output: result.output,
        },
      },
    ],
  },
  'tool-result': {
    classes: [
      'tool.result',
      'tool.failed',
      'output.spilled',
      'artifact.changed',
      'evidence.changed',
    ],
    facts: (result, told) => [
      ended(result, { status: stateOf(result), error: result.error }, told),
      ...callEvidence(result, callIds(told, result.callId)),
    ],
  },
}

function started(event: EventOf<'tool-execution-start'>, told: Told): readonly FactDraft[] {
  const { callId, name, input, plugin, safety, policy, hooks } = event
  const ids = callIds(told, callId)
  const judged = policy && { toolName: name, ...policy }
  return [
    ...(judged ? [{ type: 'permission.evaluated', ...ids, payload: judged } as const] : []),
    ...hookFacts(hooks, callId, told),
    { type: 'tool.started', ...ids, payload: { toolName: name, input, plugin, safety, policy } },
  ]
}

function hookFacts(
  hooks: readonly ToolHookRecord[] = [],
  callId: string,
  told: Told,
): readonly FactDraft[] {
  return hooks.map(({ plugin, hook, reason, input }) => ({
    type: 'hook.completed',
    ...callIds(told, callId),
    payload: { plugin, hook, reason, input },
  }))
}

interface End {
  readonly status: string
  readonly error?: unknown
}

/** The end of a call. A call that did not succeed, for whatever reason, has failed with its state. LR-16 */
function ended(result: ToolResultPart, { status, error }: End, told: Told): FactDraft {
  const { callId, name: toolName, output, references, providerExecuted } = result
  const payload = { toolName, status, output, references, providerExecuted, error }
  return {
    type: status === 'succeeded' ? 'tool.result' : 'tool.failed',
    ...callIds(told, callId),
    payload,
  }
}

function stateOf({ isError }: ToolResultPart): 'succeeded' | 'failed' {
  return isError ? 'failed' : 'succeeded'
}
