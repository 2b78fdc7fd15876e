import { abortError } from './errors.ts'

/**
 * The schedule of a stream's chunks: one per period, even if an earlier wait took too long. After a delay of more than
 * a period the schedule moves, so that chunks never come in a burst.
 */
export class Schedule {
  readonly #period: number
  #due: number

  /** Times are in milliseconds of one clock. The first chunk is due one period after `start`. */
  constructor(period: number, start: number) {
    this.#period = period
    this.#due = start
  }

  /** The time to wait for the next chunk, in milliseconds. */
  pause(now: number): number {
    this.#due = Math.max(this.#due + this.#period, now)
    return this.#due - now
  }
}

/** Waits repeatedly for the chunks of one stream, with a single abort listener. */
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

  /** Waits once; returns at once if the signal aborts. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#signal.aborted) this.#onAbort()
      else this.#timer = setTimeout(this.#onTime, this.#schedule.pause(performance.now()))
    })
  }

  /** Removes the timer and the listener. */
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

/** Never resolves; rejects when the signal aborts. */
export function stall(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(abortError(signal))
    else signal.addEventListener('abort', () => reject(abortError(signal)), { once: true })
  })
}
