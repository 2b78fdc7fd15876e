import type { Usage } from './usage.ts'

/** A model that a run may ask. `id` is that of its spec, and is absent if the config names the model. */
export interface ModelChoice {
  readonly id?: string
  readonly provider: string
  readonly model?: string
}

/**
 * The model that a run asks from here on: told at the start of a leg, and when another model takes over. `requested` is
 * the id of a model or a pool, and absent where the config names the model. The candidates are in the order in which they
 * are tried. LR-09, LR-10
 */
export interface ModelChosenEvent {
  readonly type: 'model-chosen'
  readonly requested?: string
  readonly required?: object
  readonly candidates: readonly ModelChoice[]
  readonly excluded: readonly (ModelChoice & { readonly reason: string })[]
  readonly chosen: ModelChoice
  readonly reason: string
}

/**
 * A request to a model failed, and what a run that repeats requests does next. `attempt` counts the requests of the
 * step to this model from 1. Without `failure`, such a failure is never repeated. `isShown` says whether readers have
 * seen output of the request, `usage` what it used if its output is discarded. LR-11, AW-23
 */
export interface ModelFailedEvent {
  readonly type: 'model-failed'
  readonly step: number
  readonly model: ModelChoice
  readonly attempt: number
  readonly error: { readonly code: string; readonly status?: number; readonly retryAfter?: number }
  readonly failure?: 'provider_failed' | 'rate_limited' | 'overloaded' | 'timeout' | 'interrupted'
  readonly isShown: boolean
  readonly breaker: 'closed' | 'open'
  readonly next: 'retry' | 'fallback' | 'end'
  readonly delayMs?: number
  readonly reason: string
  readonly usage?: Usage
}
