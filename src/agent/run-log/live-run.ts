import { type HostError, isEnding, type RunEvent } from '@braidwork/plugin'
import type { StoredRun } from '../storage/index.ts'

/** Characters of stored events that are kept for readers who are a little behind. */
const WINDOW = 1 << 20

/** A run that this process writes: what of it is stored, for its readers. */
export class LiveRun {
  readonly run: StoredRun
  readonly #cancel = new AbortController()
  readonly #settled: Promise<void>
  #settle: () => void = () => undefined
  /** The last events that are stored; the first of them is `#first`. */
  #window: RunEvent[] = []
  #first: number
  #size = 0
  #isOver = false
  #isComplete = false
  #error: HostError | undefined
  #readers = 0
  #wake: (() => void)[] = []
  #onReaders: (count: number) => void = () => undefined

  constructor(run: StoredRun) {
    this.run = run
    this.#first = run.nextSeq
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Aborts when the run is to stop. */
  get signal(): AbortSignal {
    return this.#cancel.signal
  }

  /** When the run's leg is over, and stored. */
  get settled(): Promise<void> {
    return this.#settled
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether the ending is among what was shown; it is not where another process has taken the run over. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Why it could not be stored. */
  get error(): HostError | undefined {
    return this.#error
  }

  fail(error: HostError): void {
    this.#error = error
  }

  stop(reason: string): void {
    this.#cancel.abort(reason)
  }

  publish(events: readonly RunEvent[]): void {
    // Before, not after: what comes now has been seen by nobody yet.
    this.#trim()
    for (const event of events) {
      this.#window.push(event)
      this.#size += sizeOf(event)
      this.#isComplete = isEnding(event)
    }
    this.#wakeAll()
  }

  /** No more events come. */
  finish(): void {
    this.#isOver = true
    this.#settle()
    this.#wakeAll()
  }

  /** Whether it has what comes after a number, or will say it when it happens. */
  tells(seq: number): boolean {
    const index = seq + 1 - this.#first
    return index >= 0 && (index < this.#window.length || !this.#isOver)
  }

  /** The events above a number; nothing where some of them are not kept any more. */
  after(seq: number): readonly RunEvent[] | undefined {
    const index = seq + 1 - this.#first
    return index < 0 ? undefined : this.#window.slice(index)
  }

  /** Calls once, when something has changed. */
  onChange(wake: () => void): void {
    this.#wake.push(wake)
  }

  addReader(): void {
    this.#onReaders(++this.#readers)
  }

  removeReader(): void {
    this.#onReaders(--this.#readers)
  }

  /** Tells how many readers there are, whenever that changes. */
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

/** About what an event is beside its delta. */
const FRAME = 200

/** About how many characters an event is. */
export function sizeOf(event: RunEvent): number {
  return FRAME + ('delta' in event && typeof event.delta === 'string' ? event.delta.length : 0)
}
