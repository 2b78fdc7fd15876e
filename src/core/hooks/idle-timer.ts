import { LONGEST_TIMER } from './settle.ts'

/** How many times its length a silence lasts that touches without news put off. */
const MOST_TIMES = 3

/**
 * Tells of a silence once. To put a timer off at each chunk costs several times what a look at the clock
 * does: this one is let run, and set again for what is left.
 */
export class IdleTimer {
  readonly #milliseconds: number
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #touchedAt = 0
  /** When something last came. */
  #newsAt = 0

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = Math.min(milliseconds, LONGEST_TIMER)
    this.#onIdle = onIdle
  }

  /** The silence begins anew. Where there is no news, it does so a few times only. */
  touch(isNews = true): void {
    const now = performance.now()
    if (isNews) this.#newsAt = now
    if (now - this.#newsAt <= (MOST_TIMES - 1) * this.#milliseconds) this.#touchedAt = now
    this.#timer ??= setTimeout(this.#onTime, this.#milliseconds)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  readonly #onTime = (): void => {
    const left = this.#touchedAt + this.#milliseconds - performance.now()
    this.#timer = left < 1 ? undefined : setTimeout(this.#onTime, left)
    if (!this.#timer) this.#onIdle()
  }
}
