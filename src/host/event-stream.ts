/** What feeds an {@link EventStream}. */
export interface EventSource<E, R> {
  /** Lists of events as they come, and at last the result; never throws. */
  readonly batches: AsyncGenerator<readonly E[], R, undefined>
  /** Asks the batches to come to their end. */
  cancel(reason: string): void
}

type Waiter<E> = (result: IteratorResult<E, undefined>) => void

/**
 * Events for one reader, who pulls; nothing runs ahead of it. Events that a plugin emits on the way wake
 * a waiting reader at once. `result` never rejects, and drains the events where nobody reads them; whoever
 * reads after that gets the ending alone. A reader that leaves cancels.
 */
export class EventStream<E, R> implements AsyncIterable<E> {
  readonly #source: EventSource<E, R>
  readonly #result: Promise<R>
  #resolve: (result: R) => void = () => undefined
  #batch: readonly E[] = []
  #at = 0
  #emitted: E[] = []
  #waiters: Waiter<E>[] = []
  #last: E | undefined
  #state: 'idle' | 'read' | 'drained' = 'idle'
  #isPulling = false
  #isDone = false

  constructor(open: (emit: (event: E) => void) => EventSource<E, R>) {
    this.#result = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#source = open((event) => this.#emit(event))
  }

  /** The result, when all events have been read or drained. */
  get result(): Promise<R> {
    // A reader that begins in the same turn of the event loop comes first.
    if (this.#state === 'idle') setImmediate(() => void this.#drain())
    return this.#result
  }

  [Symbol.asyncIterator](): AsyncIterator<E, undefined> {
    if (this.#state === 'idle') {
      this.#state = 'read'
      return { next: () => this.#next(), return: () => this.#leave() }
    }
    return this.#endingOnly()
  }

  #next(): Promise<IteratorResult<E, undefined>> {
    if (this.#hasUnread()) {
      return Promise.resolve({ value: this.#batch[this.#at++] as E, done: false })
    }
    if (this.#isDone) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      void this.#pull()
    })
  }

  /** Whether an event is there to be read; emitted ones follow the batch that was there before them. */
  #hasUnread(): boolean {
    if (this.#at === this.#batch.length && this.#emitted.length > 0) {
      this.#batch = this.#emitted
      this.#emitted = []
      this.#at = 0
    }
    return this.#at < this.#batch.length
  }

  async #pull(): Promise<void> {
    if (this.#isPulling) return
    this.#isPulling = true
    const { done, value } = await this.#source.batches.next()
    this.#isPulling = false
    if (done) this.#finish(value)
    else this.#accept(value)
    this.#serve()
  }

  #accept(batch: readonly E[]): void {
    // What was emitted before the batch came is read before it.
    this.#batch = this.#hasUnread()
      ? [...this.#batch.slice(this.#at), ...this.#emitted, ...batch]
      : batch
    this.#emitted = []
    this.#at = 0
    this.#last = batch.at(-1) ?? this.#last
  }

  /** Gives waiting readers what there is; pulls again where that was not enough. */
  #serve(): void {
    while (this.#waiters.length > 0 && (this.#hasUnread() || this.#isDone)) {
      const waiter = this.#waiters.shift()
      if (this.#hasUnread()) waiter?.({ value: this.#batch[this.#at++] as E, done: false })
      else waiter?.({ value: undefined, done: true })
    }
    if (this.#waiters.length > 0) void this.#pull()
  }

  #emit(event: E): void {
    if (this.#isDone || this.#state === 'drained') return
    const waiter = this.#hasUnread() ? undefined : this.#waiters.shift()
    if (waiter) waiter({ value: event, done: false })
    else this.#emitted.push(event)
  }

  #finish(result: R): void {
    this.#isDone = true
    this.#resolve(result)
  }

  async #drain(): Promise<void> {
    if (this.#state === 'read' || this.#isDone) return
    this.#state = 'drained'
    await this.#drainBatches()
  }

  async #drainBatches(): Promise<void> {
    for (;;) {
      const { done, value } = await this.#source.batches.next()
      if (done) {
        this.#finish(value)
        return
      }
      this.#last = value.at(-1) ?? this.#last
    }
  }

  async #leave(): Promise<IteratorResult<E, undefined>> {
    if (!this.#isDone) {
      this.#source.cancel('the reader left')
      await this.#drainBatches()
    }
    this.#batch = []
    this.#emitted = []
    return { value: undefined, done: true }
  }

  /** For whoever comes after the drain: the ending, so that no reader sees a stream without one. */
  async *#endingOnly(): AsyncGenerator<E, undefined, undefined> {
    await this.#result
    if (this.#last !== undefined) yield this.#last
  }
}
