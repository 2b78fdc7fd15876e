/** Ids of the messages that a run's steps become, the same whenever they are counted. */
export class MessageIds {
  readonly #base: string
  #step = 0
  #messages = 0
  #reasonings = 0
  /** Whether a call can go with the message before it: what came between would stand after both. */
  #isOpen = false

  /** @param base the id that the answer has as a whole */
  constructor(base: string) {
    this.#base = base
  }

  beginStep(step: number): void {
    this.#step = step
    this.#messages = 0
    this.#reasonings = 0
    this.#isOpen = false
  }

  /** Of a text. */
  next(): string {
    this.#messages++
    this.#isOpen = true
    return this.#current()
  }

  /** Of the message that a call belongs to: the text before it, or one of its own. */
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
