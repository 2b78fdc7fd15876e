import { HostError } from '@braidwork/plugin'
import { LimitTimer, timeoutError, timerOf } from '../timers.ts'

export interface SettleOptions {
  /** The longest wait, and its name among the limits of a config. Without it, the wait has no limit. */
  readonly seconds?: number
  readonly limit?: string
  /** Creates the error after the longest wait. The default is TIMEOUT. */
  readonly toLate?: (seconds: number, limit?: string) => HostError
  readonly signal?: AbortSignal | undefined
  /** When the work began, by `performance.now()`, or 0 before that. Time counts only from then on. */
  readonly begun?: (() => number) | undefined
}

/** Key of a member of a hook's promise: a function that says when the work began, as `begun` does. */
export const BEGUN: unique symbol = Symbol.for('braidwork.begun')

/**
 * Settles as the promise does, or rejects as soon as the time is up (TIMEOUT) or the signal aborts (ABORTED). The timer
 * and the abort listener are removed in every case; an outcome that arrives later is dropped.
 */
export function settle<T>(
  promise: PromiseLike<T>,
  { seconds, limit: name, signal, begun, toLate = timeoutError }: SettleOptions,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => end(() => reject(abortError(signal)))
    let timer: LimitTimer | undefined
    if (seconds !== undefined) arm(seconds, timerOf(seconds))
    function arm(limit: number, milliseconds: number): void {
      timer = new LimitTimer(() => {
        const left = begun ? leftOf(begun(), timerOf(limit)) : 0
        if (left > 0) arm(limit, left)
        else end(() => reject(toLate(limit, name)))
      }, milliseconds)
    }
    function end(act: () => void): void {
      timer?.stop()
      signal?.removeEventListener('abort', onAbort)
      act()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    const onError = (error: unknown) => end(() => reject(error))
    try {
      // A foreign thenable may resolve to another thenable; the timer covers that one too.
      Promise.resolve(promise).then((value) => end(() => resolve(value)), onError)
    } catch (error) {
      onError(error)
    }
    if (signal?.aborted) onAbort()
  })
}

/** The milliseconds that are left of a limit. All of it is left if the work has not begun (0). */
export function leftOf(begun: number, milliseconds: number): number {
  return begun === 0 ? milliseconds : begun + milliseconds - performance.now()
}

/** An ABORTED error. Its message is the signal's reason, if that is a text or an error with a message. */
export function abortError(signal: AbortSignal | undefined): HostError {
  return new HostError('ABORTED', reasonOf(signal), { cause: signal?.reason })
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason
  if (typeof reason === 'string' && reason !== '') return reason
  // The default reason of `abort()` without arguments says nothing about the cause.
  const { name, message }: { readonly name?: unknown; readonly message?: unknown } = Object(reason)
  return name !== 'AbortError' && typeof message === 'string' && message ? message : 'cancelled'
}
