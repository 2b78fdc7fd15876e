/** How long what has nothing to do holds the host's process: the next chunk may be on its way. */
const IDLE_MS = 20

/** What is open in an interpreter, and whether the host's process stays for it. */
export class Holding {
  readonly #onChange: (isHeld: boolean) => void
  #open = 0
  #isHeld = false
  #isWatched = false
  /** Whether something was open since the timer was set. */
  #wasBusy = false

  constructor(onChange: (isHeld: boolean) => void) {
    this.#onChange = onChange
  }

  /** How much is open. */
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

  /** As `begin`; gives its `end`, which may be called again. */
  hold(): () => void {
    this.begin()
    let isOpen = true
    return () => {
      if (isOpen) this.end()
      isOpen = false
    }
  }

  /** A timer for each chunk would cost more than the rest of it: this one is set again where one came. */
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
