/**
 * Tells of a silence once. To put a timer off at each chunk costs several times what a look at the clock
 * does: this one is let run, and set again for what is left.
 */
export class IdleTimer {
  readonly #milliseconds: number
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined
  #touchedAt = 0

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = milliseconds
    this.#onIdle = onIdle
  }

  /** The silence begins anew. */
  touch(): void {
    this.#touchedAt = performance.now()
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
