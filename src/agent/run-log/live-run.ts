import { HostError, isEnding, type RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'

/** The number of characters of stored events kept in memory. Readers further behind read the storage. */
const WINDOW = 1 << 20

/** Why runs end as aborted when their server is stopped. Stored runs have it as the reason of their end. */
export const SERVER_STOPPING = 'the server is stopping'

/**
 * A run that this process writes. It shows the run's events to the readers once they are stored, and stops the run when
 * they cannot be stored.
 */
export class LiveRun {
  readonly run: StoredRun
  /** Whether another process goes on with the run if this one ends. */
  readonly resumes: boolean
  readonly #cancel = new AbortController()
  readonly #settled: Promise<void>
  #settle: () => void = () => undefined
  /** The stored events that are still in memory. `#first` is the sequence number of the first one. */
  #window: RunEvent[] = []
  #first: number
  #size = 0
  #isOver = false
  #isComplete = false
  #isLeft = false
  #error: HostError | undefined
  #loss: HostError | undefined
  #readers = 0
  #wake: (() => void)[] = []
  #onReaders: (count: number) => void = () => undefined

  constructor(run: StoredRun, resumes = false) {
    this.run = run
    this.resumes = resumes
    this.#first = run.nextSeq
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Aborts when the run should stop. */
  get signal(): AbortSignal {
    return this.#cancel.signal
  }

  /** Resolves when the run's leg has ended and is stored. */
  get settled(): Promise<void> {
    return this.#settled
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the readers were shown the run's ending. They were not if another process took the run over. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Whether this process stopped working on the run, so that another one goes on with it. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** The error that kept the run from being stored, if any. */
  get error(): HostError | undefined {
    return this.#error
  }

  /** Why this process does not store the end of the run: an error, or another process that has taken the run over. */
  get fault(): HostError | undefined {
    return this.#error ?? this.#loss
  }

  /** Whether all events so far could be stored. If not, the run was told to stop. */
  get isStored(): boolean {
    return this.fault === undefined
  }

  stop(reason: string): void {
    this.#cancel.abort(reason)
  }

  /** Shows stored events to the readers. */
  publish(events: readonly RunEvent[]): void {
    // Trim before adding: no reader has seen the new events yet.
    this.#trim()
    for (const event of events) {
      this.#window.push(event)
      this.#size += sizeOf(event)
      this.#isComplete = isEnding(event)
    }
    this.#wakeAll()
  }

  /** Stops the run, because another process holds it. */
  lose(): void {
    this.#loss = new HostError('RUN_INTERRUPTED', 'Another process has taken the run over.')
    this.stop('another process has taken the run over')
  }

  /** Stops the run without an end, because another process goes on with it. The readers are told. */
  leave(): void {
    if (!this.isStored) return
    const message = 'The server is stopping. Another one goes on with the run.'
    this.#error = new HostError('HOST_CLOSED', message)
    this.#isLeft = true
    this.stop(SERVER_STOPPING)
  }

  /** Stops the run, because its events could not be stored. The readers are told. */
  fail(error: HostError): void {
    if (!this.isStored) return
    this.#error = new HostError('STORAGE_FAILED', error.message, { cause: error })
    this.stop('its events could not be stored')
  }

  /** Marks the run's leg as over: no more events will come. */
  finish(): void {
    this.#isOver = true
    this.#settle()
    this.#wakeAll()
  }

  /** Whether this run can supply the event after `seq`, now or when it happens. */
  tells(seq: number): boolean {
    const index = seq + 1 - this.#first
    return index >= 0 && (index < this.#window.length || !this.#isOver)
  }

  /** The events after `seq`, or undefined if some of them are no longer in memory. */
  after(seq: number): readonly RunEvent[] | undefined {
    const index = seq + 1 - this.#first
    return index < 0 ? undefined : this.#window.slice(index)
  }

  /** Calls `wake` once, at the next change. */
  onChange(wake: () => void): void {
    this.#wake.push(wake)
  }

  addReader(): void {
    this.#onReaders(++this.#readers)
  }

  removeReader(): void {
    this.#onReaders(--this.#readers)
  }

  /** Calls the listener with the number of readers whenever it changes. */
  watchReaders(listener: (count: number) => void): void {
    this.#onReaders = listener
  }

  #trim(): void {
    if (this.#size <= WINDOW) return
    let count = 0
    while (this.#size > WINDOW / 2 && count < this.#window.length - 1) {
      this.#size -= sizeOf(this.#window[count++] as RunEvent)
    }
    this.#window.splice(0, count)
    this.#first += count
  }

  #wakeAll(): void {
    const waiting = this.#wake
    this.#wake = []
    for (const wake of waiting) wake()
  }
}

/** The approximate size of an event without its delta, in characters. */
const FRAME = 200

/** Estimates the size of an event in characters. */
export function sizeOf(event: RunEvent): number {
  return FRAME + ('delta' in event && typeof event.delta === 'string' ? event.delta.length : 0)
}
