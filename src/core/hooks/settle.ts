import { HostError } from '@braidwork/plugin'

export interface SettleOptions {
  /** The longest wait; without it there is none. */
  readonly seconds?: number
  /** The error where that is over; TIMEOUT by default. */
  readonly toLate?: (seconds: number) => HostError
  readonly signal?: AbortSignal | undefined
  /** When that for which it waits began, by `performance.now()`, and 0 before that: until then no time counts. */
  readonly begun?: (() => number) | undefined
}

/** The member of a hook's promise that says when its turn came, as `begun` does. */
export const BEGUN: unique symbol = Symbol.for('braidwork.begun')

/** In milliseconds; Node turns longer timers into 1 ms. */
export const LONGEST_TIMER = 2_147_483_647

/** Milliseconds for a timer. */
export function timerOf(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_TIMER)
}

/**
 * A promise's outcome, or an error as soon as its time is up (TIMEOUT) or the signal aborts (ABORTED).
 * Timer and listener are gone in each case; a late outcome is dropped.
 */
export function settle<T>(
  promise: PromiseLike<T>,
  { seconds, signal, begun, toLate = timeoutError }: SettleOptions,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => end(() => reject(abortError(signal)))
    let timer: NodeJS.Timeout | undefined
    if (seconds !== undefined) arm(seconds, timerOf(seconds))
    function arm(limit: number, milliseconds: number): void {
      timer = setTimeout(() => {
        const left = begun ? leftOf(begun(), timerOf(limit)) : 0
        if (left > 0) arm(limit, left)
        else end(() => reject(toLate(limit)))
      }, milliseconds)
    }
    function end(act: () => void): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const onError = (error: unknown) => end(() => reject(error))
    try {
      // A foreign thenable may come to yet another one, on which the timer holds too.
      Promise.resolve(promise).then((value) => end(() => resolve(value)), onError)
    } catch (error) {
      onError(error)
    }
    if (signal?.aborted) onAbort()
  })
}

/** Milliseconds that are left of a limit to what began then; all of it where it has not begun. */
export function leftOf(begun: number, milliseconds: number): number {
  return begun === 0 ? milliseconds : begun + milliseconds - performance.now()
}

/** ABORTED, with the signal's reason where it is text or an error with a message. */
export function abortError(signal: AbortSignal | undefined): HostError {
  return new HostError('ABORTED', reasonOf(signal), { cause: signal?.reason })
}

export function timeoutError(seconds: number): HostError {
  return new HostError('TIMEOUT', `it did not answer within ${seconds} s`, { retryable: true })
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason
  if (typeof reason === 'string' && reason !== '') return reason
  // The default reason of a bare `abort()` says nothing.
  if (reason instanceof Error && reason.name !== 'AbortError' && reason.message)
    return reason.message
  return 'cancelled'
}
