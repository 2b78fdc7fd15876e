import type { ContextItem } from '@braidwork/plugin'
import { type FactDraft, type FactSources, NOTHING, stepIdOf } from './fact.ts'

/** Facts about requests to models and their answers. */
export const MODEL_SOURCES: FactSources<
  | 'step-start'
  | 'step-finish'
  | 'context-resolved'
  | 'text-delta'
  | 'reasoning-delta'
  | 'text-start'
  | 'text-end'
  | 'reasoning-start'
  | 'reasoning-end'
  | 'metadata'
  | 'model-chosen'
  | 'model-failed'
  | 'step-reset'
> = {
  'step-start': {
    classes: ['model.requested'],
    facts: ({ step, requestId }, { runId }) => [
      {
        type: 'model.requested',
        stepId: stepIdOf(runId, step),
        modelRequestId: requestId,
        payload: { step },
      },
    ],
  },
  'context-resolved': {
    classes: ['context.resolved'],
    facts: ({ step, requestId, items, omitted }, { runId }) => [
      {
        type: 'context.resolved',
        stepId: stepIdOf(runId, step),
        modelRequestId: requestId,
        payload: { step, ...contextOf(items), omitted },
      },
    ],
  },
  'step-finish': {
    classes: ['model.completed'],
    facts: ({ step, finishReason, usage }, { runId }) => [
      {
        type: 'model.completed',
        stepId: stepIdOf(runId, step),
        payload: { step, finishReason, usage },
      },
    ],
  },
  'text-delta': {
    classes: ['model.delta'],
    facts: ({ id, delta }, { runId, step }) => [
      { type: 'model.delta', stepId: stepIdOf(runId, step), payload: { partId: id, delta } },
    ],
  },
  'reasoning-delta': {
    classes: ['reasoning.delta'],
    facts: ({ id, delta }, { runId, step }) => [
      { type: 'reasoning.delta', stepId: stepIdOf(runId, step), payload: { partId: id, delta } },
    ],
  },
  'text-start': NOTHING,
  'text-end': NOTHING,
  'reasoning-start': NOTHING,
  'reasoning-end': NOTHING,
  metadata: NOTHING,
  'model-chosen': {
    classes: ['routing.candidates.resolved', 'routing.single_candidate', 'routing.decided'],
    facts: ({ requested, required, candidates, excluded, chosen, reason }) => {
      const [only, ...others] = candidates
      const isSingle = only !== undefined && others.length === 0
      return [
        {
          type: 'routing.candidates.resolved',
          payload: { requested, required, candidates, excluded, candidateCount: candidates.length },
        },
        ...(isSingle ? [single(only)] : []),
        { type: 'routing.decided', payload: { requested, chosen, reason } },
      ]
    },
  },
  'model-failed': {
    classes: ['model.failed', 'rate_limit.hit', 'routing.fallback.applied'],
    facts: (event, { runId }) => {
      const { step, model, attempt, error, failure, next, delayMs, reason } = event
      const stepId = stepIdOf(runId, step)
      const payload = { step, model, attempt, error, failure, next, delayMs, reason }
      const limit = { model, retryAfter: error.retryAfter, delayMs }
      return [
        { type: 'model.failed', stepId, payload },
        ...(failure === 'rate_limited'
          ? [{ type: 'rate_limit.hit', stepId, payload: limit } as const]
          : []),
        ...(next === 'fallback'
          ? [
              {
                type: 'routing.fallback.applied',
                stepId,
                payload: { from: model, reason },
              } as const,
            ]
          : []),
      ]
    },
  },
  'step-reset': {
    classes: ['runtime.warning'],
    facts: ({ step, reason }, { runId }) => [
      {
        type: 'runtime.warning',
        stepId: stepIdOf(runId, step),
        payload: { code: 'STEP_RESET', message: reason, step },
      },
    ],
  },
}

function single(candidate: object): FactDraft {
  return {
    type: 'routing.single_candidate',
    payload: { candidateCount: 1, selectedModel: candidate },
  }
}

/** What a request consists of, what was left out or cut, and what is known to be missing. LR-06 */
function contextOf(items: readonly ContextItem[]): object {
  const of = (...statuses: readonly ContextItem['status'][]) =>
    items.filter(({ status = 'included' }) => statuses.includes(status))
  return { included: of('included', 'shortened'), leftOut: of('left_out'), missing: of('missing') }
}
