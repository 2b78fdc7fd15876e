/** Counts what uses the options of a server, so that their host can be closed when nothing does any more. */
export class Uses {
  #count = 0
  #isRetired = false
  #end: () => void = () => undefined
  readonly #ended = new Promise<void>((resolve) => {
    this.#end = resolve
  })

  /** Begins a use. Call the returned function once when it has ended. */
  enter(): () => void {
    this.#count++
    return () => {
      this.#count--
      this.#look()
    }
  }

  /** Resolves when the last use has ended. */
  retire(): Promise<void> {
    this.#isRetired = true
    this.#look()
    return this.#ended
  }

  #look(): void {
    if (this.#isRetired && this.#count === 0) this.#end()
  }
}
