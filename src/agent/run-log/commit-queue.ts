import type { Sink } from '@braidwork/core/internal'
import { isEnding, type RunEvent } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { EventBatch, RunStorage } from '../storage/index.ts'
import { type LiveRun, sizeOf } from './live-run.ts'

/**
 * The shortest and longest pause between two writes, in milliseconds. Events that arrive in a pause are stored
 * together. All later stages, down to the sockets, then wake once per group instead of once per event.
 */
const SHORTEST_WAIT = 6
const LONGEST_WAIT = 20
/** The pause after a write is chosen so that writing takes a fifth of the time at most, unless it exceeds LONGEST_WAIT. */
const SHARE = 5
/** The pauses before each retry of a write that failed with a retryable error, in milliseconds. */
const RETRY_PAUSES = [25, 50, 100, 250, 500, 1000, 2000]
/**
 * After this many milliseconds no further retry starts. One attempt may itself take long, for example while a file
 * is locked.
 */
const LONGEST_RETRYING = 10_000
/** The number of characters that may wait in the queue. Above it, producers have to wait. */
const FULL = 4 << 20

export interface CommitQueueParts {
  readonly runs: RunStorage
  readonly environment: Environment
  readonly holder: string
  /** Called before each write, with the milliseconds that its oldest event has waited. */
  readonly onCommit?: ((waited: number) => void) | undefined
}

/** The events of one run that are not stored yet. */
interface Waiting {
  readonly live: LiveRun
  events: RunEvent[]
  /** How many events were added, and of these how many are stored or lost. */
  added: number
  settled: number
  /** Those who wait until so many events are settled, in order. */
  waiters: { readonly count: number; readonly wake: () => void }[]
}

/**
 * Stores the events of many runs in groups. If no write happened recently, it writes at once; otherwise it waits a
 * few milliseconds and stores what arrived together.
 */
export class CommitQueue {
  readonly #parts: CommitQueueParts
  readonly #environment: Environment
  /** The runs with events that are not stored yet. */
  #waiting: Waiting[] = []
  readonly #ofRuns = new WeakMap<LiveRun, Waiting>()
  #size = 0
  /** When the oldest of these events was added. */
  #since = 0
  #notBefore = 0
  #work: Promise<void> | undefined

  constructor(parts: CommitQueueParts) {
    this.#parts = parts
    this.#environment = parts.environment
  }

  /**
   * Returns a sink that stores the events of a run in order and then shows them to its readers. Its producer has to wait
   * while the queue is full. The events that are to be stored together with the run's ending are added to `last` instead:
   * the first such event and all after it, so that events are stored in order.
   */
  writer(live: LiveRun, last: RunEvent[]): Sink<readonly RunEvent[]> {
    const waiting: Waiting = { live, events: [], added: 0, settled: 0, waiters: [] }
    this.#ofRuns.set(live, waiting)
    return (events) => {
      if (!live.isStored) return undefined
      for (const event of events) {
        if (last.length > 0 || isLast(event)) last.push(event)
        else this.#add(waiting, event)
      }
      return this.#size > FULL ? this.settled() : undefined
    }
  }

  /** Resolves when all events that a run has written so far are stored, or cannot be. */
  async written(live: LiveRun): Promise<void> {
    const waiting = this.#ofRuns.get(live)
    if (!waiting || waiting.settled >= waiting.added) return
    await new Promise<void>((wake) => waiting.waiters.push({ count: waiting.added, wake }))
  }

  /**
   * Resolves when all events that a run has written so far are stored. They are stored in a group with those of other
   * runs.
   * @throws {HostError} STORAGE_FAILED, or RUN_INTERRUPTED if another process has taken the run over
   */
  async stored(live: LiveRun): Promise<void> {
    await this.written(live)
    if (live.fault) throw live.fault
  }

  /** Resolves when the queue is empty. Never rejects. */
  async settled(): Promise<void> {
    while (this.#work) await this.#work
  }

  #add(waiting: Waiting, event: RunEvent): void {
    if (this.#waiting.length === 0) this.#since = this.#environment.elapsed()
    if (waiting.events.length === 0) this.#waiting.push(waiting)
    waiting.events.push(event)
    waiting.added++
    this.#size += sizeOf(event)
    this.#work ??= this.#commitAll()
  }

  async #commitAll(): Promise<void> {
    // Wait one microtask, so that events added in the same turn of the event loop are stored together.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const pause = this.#notBefore - this.#environment.elapsed()
      if (pause > 0) await this.#environment.sleep(pause)
      await this.#commit()
    }
    this.#work = undefined
  }

  async #commit(): Promise<void> {
    const group = this.#waiting.map((waiting) => ({ waiting, ...waiting }))
    for (const waiting of this.#waiting) waiting.events = []
    this.#waiting = []
    this.#size = 0
    const startedAt = this.#environment.elapsed()
    this.#parts.onCommit?.(startedAt - this.#since)
    // The events after those that could not be stored are lost too: a stored run has no gaps.
    const kept = group.filter(({ live }) => live.isStored)
    try {
      const lost = kept.length > 0 ? await this.#append(kept) : []
      for (const { live, events } of kept) {
        if (lost.includes(live.run.id)) live.lose()
        else live.publish(events)
      }
    } catch (error) {
      const failure = toHostError(error, undefined, 'STORAGE_FAILED')
      for (const { live } of kept) live.fail(failure)
    }
    for (const { waiting, events } of group) settle(waiting, events.length)
    const now = this.#environment.elapsed()
    const share = (now - startedAt) * (SHARE - 1)
    this.#notBefore = now + Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, share))
  }

  async #append(group: readonly Pick<Waiting, 'live' | 'events'>[]): Promise<readonly string[]> {
    const batches: readonly EventBatch[] = group.map(({ live, events }) => ({
      runId: live.run.id,
      events,
    }))
    const { runs, holder } = this.#parts
    return withRetries(this.#environment, () => runs.append(holder, batches))
  }
}

function settle(waiting: Waiting, count: number): void {
  waiting.settled += count
  while (waiting.waiters[0] && waiting.waiters[0].count <= waiting.settled) {
    waiting.waiters.shift()?.wake()
  }
}

/** Whether an event is stored with the run's ending. An approval must not be answered before its run is suspended. */
function isLast(event: RunEvent): boolean {
  return isEnding(event) || event.type === 'approval-required'
}

/** Calls a function again, for up to ten seconds, while it fails with a retryable error. */
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
