import type { HostError, RunEvent } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { EventBatch, RunStorage } from '../storage/index.ts'
import { sizeOf } from './live-run.ts'

/**
 * Shortest and longest time, in milliseconds, between two writes: what comes in between is stored together,
 * and everything behind it, up to the sockets, is woken once and not for each event.
 */
const SHORTEST_WAIT = 6
const LONGEST_WAIT = 20
/** Writing takes at most one part in so many of the time, as long as that wait allows it. */
const SHARE = 5
/** Pauses, in milliseconds, before a write that may succeed later is tried again. */
const RETRY_PAUSES = [25, 50, 100, 250, 500, 1000, 2000]
/** Milliseconds after which nothing is tried again: a try itself may take long, as at a file that is locked. */
const LONGEST_RETRYING = 10_000
/** Characters that may wait to be stored before those who make them are held up. */
const FULL = 4 << 20

/** What becomes of a run's events: stored, or not the holder's to store any more, or not to be stored. */
export interface CommitOutcome {
  stored(events: readonly RunEvent[]): void
  lost(): void
  failed(error: HostError): void
}

/** What one run has that is not stored yet. */
interface Waiting {
  readonly runId: string
  readonly outcome: CommitOutcome
  events: RunEvent[]
}

/**
 * Stores the events of many runs in groups: at once where nothing was written lately, else together with
 * what comes within a few milliseconds.
 */
export class CommitQueue {
  readonly #runs: RunStorage
  readonly #environment: Environment
  readonly #holder: string
  /** The runs that have something to be stored. */
  #waiting: Waiting[] = []
  #size = 0
  #notBefore = 0
  #work: Promise<void> | undefined

  constructor(runs: RunStorage, environment: Environment, holder: string) {
    this.#runs = runs
    this.#environment = environment
    this.#holder = holder
  }

  /** Whether so much waits that nothing should be added before {@link settled}. */
  get isFull(): boolean {
    return this.#size > FULL
  }

  /** For one run: what it is given is stored, in that order. */
  writer(runId: string, outcome: CommitOutcome): (event: RunEvent) => void {
    const waiting: Waiting = { runId, outcome, events: [] }
    return (event) => {
      if (waiting.events.length === 0) this.#waiting.push(waiting)
      waiting.events.push(event)
      this.#size += sizeOf(event)
      this.#work ??= this.#commitAll()
    }
  }

  /** When nothing waits any more; never rejects. */
  async settled(): Promise<void> {
    while (this.#work) await this.#work
  }

  async #commitAll(): Promise<void> {
    // What is added in the same turn of the event loop is stored together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const pause = this.#notBefore - this.#environment.elapsed()
      if (pause > 0) await this.#environment.sleep(pause)
      await this.#commit()
    }
    this.#work = undefined
  }

  async #commit(): Promise<void> {
    const group = this.#waiting.map((waiting) => ({ ...waiting }))
    for (const waiting of this.#waiting) waiting.events = []
    this.#waiting = []
    this.#size = 0
    const startedAt = this.#environment.elapsed()
    try {
      const lost = await this.#append(group)
      for (const { runId, outcome, events } of group) {
        if (lost.includes(runId)) outcome.lost()
        else outcome.stored(events)
      }
    } catch (error) {
      const failure = toHostError(error, undefined, 'STORAGE_FAILED')
      for (const { outcome } of group) outcome.failed(failure)
    }
    const now = this.#environment.elapsed()
    const share = (now - startedAt) * (SHARE - 1)
    this.#notBefore = now + Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, share))
  }

  async #append(batches: readonly EventBatch[]): Promise<readonly string[]> {
    return withRetries(this.#environment, () => this.#runs.append(this.#holder, batches))
  }
}

/** Tries again, for some seconds, what fails in a way that may pass. */
export async function withRetries<T>(environment: Environment, act: () => Promise<T>): Promise<T> {
  const until = environment.elapsed() + LONGEST_RETRYING
  for (const pause of RETRY_PAUSES) {
    try {
      return await act()
    } catch (error) {
      if (!toHostError(error).retryable || environment.elapsed() >= until) throw error
      await environment.sleep(pause)
    }
  }
  return act()
}
