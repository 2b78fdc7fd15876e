import { settle } from '@braidwork/core/internal'

/** The updates of a task. They can be read on after their reader was stopped. */
export class Updates<T> {
  readonly #source: AsyncIterator<T>
  #next: Promise<IteratorResult<T, unknown>> | undefined

  constructor(source: AsyncIterable<T>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The updates up to the end, or until a signal aborts. @throws {HostError} ABORTED; what the connection throws */
  async *until(signal: AbortSignal): AsyncGenerator<T, void, undefined> {
    for (;;) {
      this.#next ??= this.#source.next()
      const next = await settle(this.#next, { signal })
      this.#next = undefined
      if (next.done) return
      yield next.value
    }
  }
}
