import type { A2aTask } from '../wire/a2a/index.ts'

/** Sends the states of a task one after another. While one is sent, only the newest of the others waits. */
export class Latest {
  readonly #send: (task: A2aTask) => Promise<void>
  #last: A2aTask | undefined
  #waiting: A2aTask | undefined
  #sending: Promise<void> | undefined

  /** @param send never rejects */
  constructor(send: (task: A2aTask) => Promise<void>) {
    this.#send = send
  }

  give(task: A2aTask): void {
    this.#last = task
    this.#waiting = task
    this.#sending ??= this.#work()
  }

  /** Sends the last state once more, if there is one. */
  again(): void {
    if (this.#last) this.give(this.#last)
  }

  /** Resolves when nothing waits. */
  async settled(): Promise<void> {
    await this.#sending
  }

  async #work(): Promise<void> {
    while (this.#waiting) {
      const task = this.#waiting
      this.#waiting = undefined
      await this.#send(task)
    }
    this.#sending = undefined
  }
}
