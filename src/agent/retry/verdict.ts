import type { ModelFailure } from './failure.ts'
import type { RetryPolicy } from './retry-section.ts'

/** A request that failed. */
export interface FailedTry {
  /** Undefined if such a failure is never repeated. */
  readonly failure: ModelFailure | undefined
  /** How long the model API asked to wait, in seconds. */
  readonly retryAfter?: number | undefined
  /** How long it had asked to wait before the retries of the step so far, in seconds. */
  readonly askedBefore: number
  /** How long it may ask to wait in all, in seconds: `limits.retry_after`, if the config sets it. */
  readonly longestWait: number
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
  const wait = askedWait(failed.retryAfter)
  if (wait > 0 && failed.askedBefore + wait > failed.longestWait) {
    const reason = `The model API asks for a wait of ${wait} seconds, which is longer than "limits.retry_after" allows.`
    return { next: 'fallback', reason }
  }
  const delayMs = Math.max(backoffOf(policy, { failure, retries }), wait * 1000)
  return { next: 'retry', delayMs, reason: 'Such a failure may be repeated.' }
}

const LONGEST_BACKOFF = 8000
const MOST_DOUBLINGS = 16

/** The wait before a retry, in milliseconds. One that the model API asks for takes precedence if it is longer. AW-22 */
function backoffOf(
  { backoff, overloadedBackoff }: RetryPolicy,
  { failure, retries }: { readonly failure: ModelFailure; readonly retries: number },
): number {
  const base = failure === 'overloaded' ? overloadedBackoff : backoff
  return Math.min(base * 2 ** Math.min(retries, MOST_DOUBLINGS), LONGEST_BACKOFF)
}

/** The wait that a model API asked for, in seconds; 0 for none, and for what is no time. */
export function askedWait(retryAfter = 0): number {
  return Number.isFinite(retryAfter) ? Math.max(0, retryAfter) : 0
}
