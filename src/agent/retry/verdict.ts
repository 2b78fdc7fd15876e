import type { ModelFailure } from './failure.ts'
import type { RetryPolicy } from './retry-section.ts'

/** A request that failed. */
export interface FailedTry {
  /** Undefined if such a failure is never repeated. */
  readonly failure: ModelFailure | undefined
  /** How long the model API asked to wait, in seconds. */
  readonly retryAfter?: number | undefined
  /** Whether output of the request was shown. */
  readonly isShown: boolean
  /** How often requests of the step were repeated before. */
  readonly retries: number
  /** How many of these followed output that was shown. */
  readonly streamRetries: number
}

/** What follows a request that failed, and why. */
export type Verdict = { readonly reason: string } & (
  | { readonly next: 'retry'; readonly delayMs: number }
  /** Another model may be asked. */
  | { readonly next: 'fallback' }
  | { readonly next: 'end' }
)

/** Decides what follows a request that failed. @param canReset whether output that was shown can be taken back */
export function verdictOf(policy: RetryPolicy, failed: FailedTry, canReset: boolean): Verdict {
  const { failure, isShown, retries, streamRetries } = failed
  if (failure === undefined) return { next: 'end', reason: 'Such a failure is never repeated.' }
  // AW-26
  if (isShown && !canReset) {
    return { next: 'end', reason: 'The client cannot discard the output that it was shown.' }
  }
  if (retries >= policy.retries) {
    return { next: 'fallback', reason: `All ${policy.retries} retries are used up.` }
  }
  if (isShown && streamRetries >= policy.streamRetries) {
    const reason = `All ${policy.streamRetries} retries after output are used up.`
    return { next: 'fallback', reason }
  }
  const delayMs = delayOf(policy, { ...failed, failure })
  return { next: 'retry', delayMs, reason: 'Such a failure may be repeated.' }
}

const LONGEST_BACKOFF = 8000
const MOST_DOUBLINGS = 16

/** The wait before a retry, in milliseconds. A longer wait that the model API asks for takes precedence. AW-22 */
function delayOf(
  { backoff, overloadedBackoff }: RetryPolicy,
  { failure, retries, retryAfter = 0 }: FailedTry,
): number {
  const base = failure === 'overloaded' ? overloadedBackoff : backoff
  const own = Math.min(base * 2 ** Math.min(retries, MOST_DOUBLINGS), LONGEST_BACKOFF)
  return Number.isFinite(retryAfter) ? Math.max(own, retryAfter * 1000) : own
}
