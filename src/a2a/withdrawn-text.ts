/** A text that was shown and that the agent has withdrawn. It often says the same once more, as after a restart. */
export class WithdrawnText {
  #rest = ''
  #repeated = ''

  /** Whether some of it was not said again yet. */
  get isOpen(): boolean {
    return this.#rest !== ''
  }

  add(text: string): void {
    this.#rest += text
  }

  /** Compares the next piece with it. Returns what is new in the piece, or undefined if the agent says something else. */
  fresh(delta: string): string | undefined {
    const length = Math.min(delta.length, this.#rest.length)
    if (!this.#rest.startsWith(delta.slice(0, length))) return undefined
    this.#rest = this.#rest.slice(length)
    this.#repeated = this.isOpen ? this.#repeated + delta.slice(0, length) : ''
    return delta.slice(length)
  }

  /** Forgets it. Returns what the agent has said again, and nobody was shown again. */
  drop(): string {
    const repeated = this.#repeated
    this.#rest = ''
    this.#repeated = ''
    return repeated
  }
}
