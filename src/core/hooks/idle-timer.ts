import { LONGEST_TIMER } from './settle.ts'

/** Chunks without new content extend a silence to this many times the limit at most. */
const MOST_TIMES = 3

/**
 * Calls `onIdle` once after a silence. A chunk only notes the time, because setting a timer costs several times as
 * much. When the timer fires, it is set again for the time that is left.
 */
export class IdleTimer {
  readonly #milliseconds: number
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #touchedAt = 0
  /** The time at which new content last arrived. */
  #newsAt = 0

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = Math.min(milliseconds, LONGEST_TIMER)
    this.#onIdle = onIdle
  }

  /** Restarts the silence. Without new content, this works only until MOST_TIMES times the limit has passed. */
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
