import { abortError, leftOf, timeoutError, timerOf } from '@braidwork/core/internal'

export interface WaitsOptions {
  /** The time limit of a wait, in seconds. */
  readonly seconds: number
  /** The name of that limit in a config. */
  readonly limit?: string
  readonly signal?: AbortSignal | undefined
  /** When the awaited work began, by `performance.now()`. While it returns 0, no time counts. */
  readonly begun?: () => number
  /** Converts the error of a wait that ended without a result. */
  readonly toError: (error: unknown) => Error
}

/** Ends a wait with the value that `outcome` returns, or with the error that it throws. */
export type Settle<T> = (outcome: () => T) => void

/** Sequential waits that share one timer and one abort listener. */
export class Waits {
  readonly #options: WaitsOptions
  #timer: NodeJS.Timeout | undefined
  /** When the current wait began. */
  #since = 0
  #fail: (error: unknown) => void = () => undefined

  constructor(options: WaitsOptions) {
    this.#options = options
  }

  /** Waits until `begin` settles, the time is up, or the signal aborts. */
  wait<T>(begin: (settle: Settle<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fail = (error: unknown) => reject(this.#options.toError(error))
      this.#fail = fail
      this.#arm()
      try {
        if (this.#options.signal?.aborted) this.#onAbort()
        else begin((outcome) => settle(outcome, resolve, reject))
      } catch (error) {
        this.#fail(error)
      }
    })
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#options.signal?.removeEventListener('abort', this.#onAbort)
  }

  #arm(): void {
    this.#since = performance.now()
    if (this.#timer) return
    const { seconds, signal } = this.#options
    this.#timer = setTimeout(this.#onLimit, timerOf(seconds)).unref()
    signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /**
   * Runs when the timer fires, and checks how long the current wait has taken. A timer per wait would cost too much.
   */
  readonly #onLimit = (): void => {
    const { seconds, limit, begun = () => this.#since } = this.#options
    const left = leftOf(begun(), timerOf(seconds))
    this.#timer = left > 0 ? setTimeout(this.#onLimit, left).unref() : undefined
    // If no wait is open, there is nothing to fail.
    if (left <= 0) this.#fail(timeoutError(seconds, limit))
  }

  readonly #onAbort = (): void => this.#fail(abortError(this.#options.signal))
}

function settle<T>(
  outcome: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(outcome())
  } catch (error) {
    reject(error)
  }
}
