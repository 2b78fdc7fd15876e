import type { Sink } from '../hooks/index.ts'

/** What feeds an {@link EventStream}. */
export interface EventSource<E, R> {
  /** Begins, once. Shows its events in lists, and answers the result; never throws. */
  run(sink: Sink<readonly E[]>): Promise<R>
  /** Asks it to come to its end. */
  cancel(reason: string): void
}

type Waiter<E> = (result: IteratorResult<E, undefined>) => void

/**
 * Events for one reader, who pulls; nothing runs ahead of it. `result` never rejects. Whoever waits for it
 * drains the events where nobody reads them; a reader that comes after that gets the ending alone. A reader
 * that leaves cancels.
 *
 * Each event is made by `toEvent` of what the source shows, in the order in which events are read.
 */
export class EventStream<E, R, I = E> implements AsyncIterable<E> {
  readonly #source: EventSource<I, R>
  readonly #toEvent: (input: I) => E
  /** The result, when all events have been read or drained. To have it in hand drains nothing; to wait for it does. */
  readonly result: Promise<R>
  #resolve: (result: R) => void = () => undefined
  /** What nobody has read yet, from `#at` on. */
  #events: E[] = []
  #at = 0
  #waiters: Waiter<E>[] = []
  #last: E | undefined
  #reader: 'none' | 'pulls' | 'is piped to' | 'left' = 'none'
  #sink: Sink<readonly E[]> = () => undefined
  /** Holds the source up until the reader waits for more. */
  #gate: Gate | undefined
  #hasBegun = false
  #isDone = false

  constructor(source: EventSource<I, R>, toEvent: (input: I) => E = unchanged) {
    this.#source = source
    this.#toEvent = toEvent
    this.result = new AwaitedPromise(
      (resolve) => {
        this.#resolve = resolve
      },
      // A reader that begins in the same turn of the event loop comes first.
      () => this.#reader === 'none' && setImmediate(() => this.#drain()),
    )
  }

  [Symbol.asyncIterator](): AsyncIterator<E, undefined> {
    if (this.#reader !== 'none') return this.#endingOnly()
    this.#reader = 'pulls'
    return { next: () => this.#next(), return: () => this.#leave() }
  }

  /**
   * Instead of being pulled: tells all events in lists, as they come, and answers the result. What costs an
   * event its way through an iterator is two promises.
   * @internal
   */
  pipeTo(sink: Sink<readonly E[]>): Promise<R> {
    this.#reader = 'is piped to'
    this.#sink = sink
    this.#goOn()
    return this.result
  }

  #next(): Promise<IteratorResult<E, undefined>> {
    if (this.#at < this.#events.length) {
      return Promise.resolve({ value: this.#events[this.#at++] as E, done: false })
    }
    if (this.#isDone) return Promise.resolve({ value: undefined, done: true })
    return new Promise((resolve) => {
      this.#waiters.push(resolve)
      this.#goOn()
    })
  }

  #goOn(): void {
    if (this.#hasBegun) {
      this.#gate?.open()
      this.#gate = undefined
    } else {
      this.#hasBegun = true
      void this.#source.run(this.#take).then((result) => this.#finish(result))
    }
  }

  readonly #take: Sink<readonly I[]> = (inputs) => {
    if (this.#isDone) return undefined
    const events = inputs.map(this.#toEvent)
    this.#last = events.at(-1) ?? this.#last
    if (this.#reader === 'is piped to') return this.#sink(events)
    if (this.#reader === 'left') return undefined
    this.#add(events)
    this.#serve()
    if (this.#waiters.length > 0) return undefined
    this.#gate ??= new Gate()
    return this.#gate.opened
  }

  #add(events: E[]): void {
    if (this.#at < this.#events.length) this.#events.push(...events)
    else {
      this.#events = events
      this.#at = 0
    }
  }

  /** Gives waiting readers what there is. */
  #serve(): void {
    while (this.#waiters.length > 0 && this.#at < this.#events.length) {
      this.#waiters.shift()?.({ value: this.#events[this.#at++] as E, done: false })
    }
  }

  #finish(result: R): void {
    this.#isDone = true
    this.#resolve(result)
    for (const waiter of this.#waiters.splice(0)) waiter({ value: undefined, done: true })
  }

  #drain(): void {
    if (this.#reader !== 'none') return
    this.#reader = 'left'
    this.#goOn()
  }

  async #leave(): Promise<IteratorResult<E, undefined>> {
    this.#reader = 'left'
    this.#events = []
    if (!this.#isDone) this.#source.cancel('the reader left')
    this.#goOn()
    await this.result
    return { value: undefined, done: true }
  }

  /** For whoever comes after the drain: the ending, so that no reader sees a stream without one. */
  async *#endingOnly(): AsyncGenerator<E, undefined, undefined> {
    await this.result
    if (this.#last !== undefined) yield this.#last
  }
}

/** A promise that says when somebody waits for it. */
class AwaitedPromise<T> extends Promise<T> {
  readonly #onWait: () => void

  constructor(begin: (resolve: (value: T) => void) => void, onWait: () => void) {
    super(begin)
    this.#onWait = onWait
  }

  /** What follows from it is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then: Promise<T>['then'] = (onResolved, onRejected) => {
    this.#onWait()
    return super.then(onResolved, onRejected)
  }
}

/** A promise that somebody else resolves. */
class Gate {
  open: () => void = () => undefined
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

/** For a source that shows the events themselves. */
function unchanged<T>(event: unknown): T {
  return event as T
}
