/** Milliseconds for which an idle interpreter still keeps the host's process alive, since a chunk may follow. */
const IDLE_MS = 20

/** Counts the open operations of an interpreter; while there are any, the host's process stays alive. */
export class Holding {
  readonly #onChange: (isHeld: boolean) => void
  #open = 0
  #isHeld = false
  #isWatched = false
  /** Whether an operation was open since the timer was set. */
  #wasBusy = false

  constructor(onChange: (isHeld: boolean) => void) {
    this.#onChange = onChange
  }

  /** The number of open operations. */
  get open(): number {
    return this.#open
  }

  begin(): void {
    if (this.#open++ > 0 || this.#isHeld) return
    this.#isHeld = true
    this.#onChange(true)
  }

  end(): void {
    if (--this.#open > 0) return
    this.#wasBusy = true
    if (!this.#isWatched) this.#watch()
  }

  /** Like `begin`. Returns the matching `end`, which may be called several times. */
  hold(): () => void {
    this.begin()
    let isOpen = true
    return () => {
      if (isOpen) this.end()
      isOpen = false
    }
  }

  /** Renews the timer only after it fires, since a timer per chunk would cost more than all other work. */
  #watch(): void {
    this.#isWatched = true
    setTimeout(() => this.#letGo(), IDLE_MS).unref()
  }

  #letGo(): void {
    this.#isWatched = false
    if (this.#open > 0) return
    if (this.#wasBusy) {
      this.#wasBusy = false
      this.#watch()
      return
    }
    this.#isHeld = false
    this.#onChange(false)
  }
}
