/** Creates the ids of the messages in a run's steps. Counting again gives the same ids. */
export class MessageIds {
  readonly #base: string
  #step = 0
  #messages = 0
  #reasonings = 0
  /** Whether the next call belongs to the current message. False after reasoning, so that the order remains. */
  #isOpen = false

  /** @param base the message id of the whole response */
  constructor(base: string) {
    this.#base = base
  }

  beginStep(step: number): void {
    this.#step = step
    this.#messages = 0
    this.#reasonings = 0
    this.#isOpen = false
  }

  /** Returns the id for a new text. */
  next(): string {
    this.#messages++
    this.#isOpen = true
    return this.#current()
  }

  /** Returns the id of the message that a call belongs to: the text before it, or a new one. */
  parent(): string {
    return this.#isOpen ? this.#current() : this.next()
  }

  nextReasoning(): string {
    this.#isOpen = false
    return `${this.#base}.${this.#step}.reasoning-${++this.#reasonings}`
  }

  #current(): string {
    const own = `${this.#base}.${this.#step}`
    return this.#messages === 1 ? own : `${own}.${this.#messages}`
  }
}
