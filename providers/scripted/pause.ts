import { abortError } from './errors.ts'

/**
 * When the chunks of a stream are due: one a period, as a model makes them, however late the one before it
 * was noticed. A chunk that is late by more than a period moves all that follow, so that they never burst.
 */
export class Schedule {
  readonly #period: number
  #due: number

  /** Times are in milliseconds, of one clock; the first chunk is due a period after `start`. */
  constructor(period: number, start: number) {
    this.#period = period
    this.#due = start
  }

  /** How long to wait for the next chunk. */
  pause(now: number): number {
    this.#due = Math.max(this.#due + this.#period, now)
    return this.#due - now
  }
}

/** Waits for the chunks of one stream, over and over, with one listener. */
export class Pacer {
  readonly #schedule: Schedule
  readonly #signal: AbortSignal
  #timer: NodeJS.Timeout | undefined
  #resolve: () => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#schedule = new Schedule(milliseconds, performance.now())
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Waits once; at once no longer when the signal aborts. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#signal.aborted) this.#onAbort()
      else this.#timer = setTimeout(this.#onTime, this.#schedule.pause(performance.now()))
    })
  }

  /** Leaves neither timer nor listener behind. */
  end(): void {
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  readonly #onTime = (): void => this.#resolve()

  readonly #onAbort = (): void => {
    clearTimeout(this.#timer)
    this.#reject(abortError(this.#signal))
  }
}

/** Never answers; ends by the signal alone. */
export function stall(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(abortError(signal))
    else signal.addEventListener('abort', () => reject(abortError(signal)), { once: true })
  })
}
