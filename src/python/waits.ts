import { abortError, leftOf, timeoutError, timerOf } from '@braidwork/core/internal'

export interface WaitsOptions {
  /** The longest that one may take. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  /** When that for which it waits began, by `performance.now()`, and 0 before that: until then no time counts. */
  readonly begun?: () => number
  /** What a wait fails with that had no outcome. */
  readonly toError: (error: unknown) => Error
}

/** Ends a wait with what `outcome` gives, or throws. */
export type Settle<T> = (outcome: () => T) => void

/** Waits one after the other: one timer and one listener serve them all. */
export class Waits {
  readonly #options: WaitsOptions
  #timer: NodeJS.Timeout | undefined
  /** When the last one began. */
  #since = 0
  #fail: (error: unknown) => void = () => undefined

  constructor(options: WaitsOptions) {
    this.#options = options
  }

  /** Waits for what `begin` settles, or until the time is up or the signal aborts. */
  wait<T>(begin: (settle: Settle<T>) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#fail = (error) => reject(this.#options.toError(error))
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

  /** A timer that is set for each wait would cost more than the rest of it: it looks how long the last one took. */
  readonly #onLimit = (): void => {
    const { seconds, begun = () => this.#since } = this.#options
    const left = leftOf(begun(), timerOf(seconds))
    this.#timer = left > 0 ? setTimeout(this.#onLimit, left).unref() : undefined
    // Where no wait is open any more it has nobody to tell.
    if (left <= 0) this.#fail(timeoutError(seconds))
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
