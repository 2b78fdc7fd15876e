import { setImmediate } from 'node:timers'
import { isEnding } from '@braidwork/plugin'
import type { Sink } from '../hooks/index.ts'

/** The producer of an {@link EventStream}. */
export interface EventSource<E, R> {
  /** Starts the producer, once. It passes lists of events to `sink` and resolves to the result. Never rejects. */
  run(sink: Sink<readonly E[]>): Promise<R>
  /** Asks the producer to end early. */
  cancel(reason: string): void
}

type Waiter<E> = (result: IteratorResult<E, undefined>) => void

/**
 * A stream of events for one reader. The reader pulls: the source waits until it asks for more. `result` never
 * rejects. Waiting for `result` drains the events if nobody reads them; a reader that starts after that gets only
 * the ending. A reader that leaves early cancels the source.
 *
 * `toEvent` converts each input of the source to an event, in the order in which events are read.
 */
export class EventStream<E, R, I = E> implements AsyncIterable<E> {
  readonly #source: EventSource<I, R>
  readonly #toEvent: ((input: I) => E) | undefined
  /**
   * The result, once the last event is read or all are drained. Only waiting for it starts the drain, not holding the
   * promise. A reader must not wait for it before the ending event, since the source waits for the reader.
   */
  readonly result: Promise<R>
  #resolve: (result: R) => void = () => undefined
  /** Events that nobody has read yet; they begin at the index `#at`. */
  #events: E[] = []
  #at = 0
  /** The reader that waits for an event. Most streams have one, for which a list would take memory with each event. */
  #waiter: Waiter<E> | undefined
  /** Those that wait behind it, for the events after that. */
  readonly #others: Waiter<E>[] = []
  #last: E | undefined
  #reader: 'none' | 'pulls' | 'is piped to' | 'left' = 'none'
  #sink: Sink<readonly E[]> = () => undefined
  /** Stops the source until the reader waits for more. */
  #pause: Promise<void> | undefined
  #resume: () => void = () => undefined
  #hasBegun = false
  #isDone = false

  constructor(source: EventSource<I, R>, toEvent?: (input: I) => E) {
    this.#source = source
    this.#toEvent = toEvent
    this.result = new AwaitedPromise(
      (resolve) => {
        this.#resolve = resolve
      },
      // The delay lets a reader that begins in the same turn of the event loop come first.
      () => this.#reader === 'none' && setImmediate(() => this.#drain()),
    )
  }

  [Symbol.asyncIterator](): AsyncIterator<E, undefined> {
    if (this.#reader !== 'none') return this.#endingOnly()
    this.#reader = 'pulls'
    return { next: () => this.#next(), return: () => this.#leave() }
  }

  /**
   * Passes all events in lists to `sink` as they arrive, and resolves to the result. It replaces pulling: an iterator
   * would cost two more promises for each event.
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
    return new Promise(this.#wait)
  }

  /** The functions that promises begin with are made once for a stream, not for each event. */
  readonly #wait = (resolve: Waiter<E>): void => {
    if (this.#waiter) this.#others.push(resolve)
    else this.#waiter = resolve
    this.#goOn()
  }

  readonly #hold = (resolve: () => void): void => {
    this.#resume = resolve
  }

  #goOn(): void {
    if (this.#hasBegun) {
      this.#pause = undefined
      this.#resume()
    } else {
      this.#hasBegun = true
      void this.#source.run(this.#take).then((result) => this.#finish(result))
    }
  }

  readonly #take: Sink<readonly I[]> = (inputs) => {
    if (this.#isDone) return undefined
    const events = this.#eventsOf(inputs)
    this.#last = events.at(-1) ?? this.#last
    if (this.#reader === 'is piped to') return this.#sink(events)
    if (this.#reader === 'left') return undefined
    this.#add(events)
    this.#serve()
    // After its ending the source has no more events: a reader that stops there gets the result too.
    if (this.#waiter || isEnding(Object(this.#last))) return undefined
    this.#pause ??= new Promise(this.#hold)
    return this.#pause
  }

  #eventsOf(inputs: readonly I[]): E[] {
    // Without a conversion, the inputs are events.
    return this.#toEvent ? inputs.map(this.#toEvent) : (inputs.slice() as unknown[] as E[])
  }

  #add(events: E[]): void {
    if (this.#at < this.#events.length) this.#events.push(...events)
    else {
      this.#events = events
      this.#at = 0
    }
  }

  /** Gives the unread events to the readers that wait. */
  #serve(): void {
    while (this.#waiter && this.#at < this.#events.length) {
      this.#nextWaiter()?.({ value: this.#events[this.#at++] as E, done: false })
    }
  }

  /** Takes the waiter that comes first. */
  #nextWaiter(): Waiter<E> | undefined {
    const waiter = this.#waiter
    this.#waiter = this.#others.shift()
    return waiter
  }

  #finish(result: R): void {
    this.#isDone = true
    this.#resolve(result)
    while (this.#waiter) this.#nextWaiter()?.({ value: undefined, done: true })
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

  /** Serves a reader that starts after the drain. It yields the ending, because every stream must show one. */
  async *#endingOnly(): AsyncGenerator<E, undefined, undefined> {
    await this.result
    if (this.#last !== undefined) yield this.#last
  }
}

/** A promise that calls `onWait` when code waits for it. */
class AwaitedPromise<T> extends Promise<T> {
  readonly #onWait: () => void

  constructor(begin: (resolve: (value: T) => void) => void, onWait: () => void) {
    super(begin)
    this.#onWait = onWait
  }

  /** Promises derived from this one are ordinary promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then: Promise<T>['then'] = (onResolved, onRejected) => {
    this.#onWait()
    return super.then(onResolved, onRejected)
  }
}
