/** Milliseconds before the second try in a row. Each further wait is twice as long. */
const FIRST_MS = 1_000
const LONGEST_MS = 60_000
/** A server that has run for so many milliseconds is not considered broken when it ends. */
const STABLE_MS = 60_000

/** When a server that failed may be started again: the first time at once, then after waits that double. */
export class BackOff {
  readonly #now: () => number
  #failures = 0
  /** Whether the server has been started again at once. */
  #isAgain = false
  #until = 0
  #reason = ''

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Why the server may not be started now. Undefined if it may. */
  get refusal(): string | undefined {
    const left = this.#until - this.#now()
    if (left <= 0) return undefined
    // Reasons come from systems and libraries too, which end them as they like.
    const reason = /[.?!]$/.test(this.#reason) ? this.#reason : `${this.#reason}.`
    return `${reason} The next try is in ${Math.ceil(left / 1_000)} s.`
  }

  /** Notes that a start failed. */
  failed(reason: string): void {
    this.#failures++
    this.#reason = reason
    this.#until = this.#now() + Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.#failures - 1))
  }

  /** Notes that a server ended by itself after a time in milliseconds. */
  died(reason: string, after: number): void {
    if (after >= STABLE_MS) {
      this.#failures = 0
      this.#isAgain = false
    }
    if (this.#isAgain || this.#failures > 0) this.failed(reason)
    this.#isAgain = true
  }
}
