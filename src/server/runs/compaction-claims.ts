import type { Environment, Storage } from '@braidwork/agent'
import { type CounterWindow, withRetries } from '@braidwork/agent/internal'
import { HostError, type Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** Milliseconds between two signs of life of a claim. */
const BEAT = 5000
/** After how many milliseconds without a sign of life the process that has a claim counts as ended. */
const SILENCE = 2 * BEAT
/** How long the counters of a claim are kept, in milliseconds. */
const KEPT = 24 * 60 * 60_000
/** What marks a claim whose process has ended. It stays marked if that process gives the claim back after all. */
const LEFT = 2

export interface ClaimParts {
  readonly storage: Pick<Storage, 'counters'>
  readonly environment: Environment
  readonly log: Log
}

/** The counters of a claim. */
interface Claim {
  /** Reserved by the process that has the claim. */
  readonly holder: CounterWindow
  /** The signs of life of all processes that had the claim. */
  readonly beats: CounterWindow
}

/** The signs of life of a claim as this process first saw them. */
interface Seen {
  readonly beats: number
  /** The time of that first sight, by this process's own monotonic clock. */
  readonly at: number
}

/**
 * Claims to compactions, of which each is of one server of the storage at a time. A process that sees no sign of life of
 * a claim for a while, by its own monotonic clock, takes another claim for the same work. The clocks of two processes
 * are never compared: either may be wrong.
 */
export class CompactionClaims {
  readonly #parts: ClaimParts
  /** The claims of others, by their keys. */
  readonly #seen = new Map<string, Seen>()

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /**
   * Does something that no other server of the storage does under the same key meanwhile.
   * @throws {HostError} COMPACTION_BUSY, STORAGE_FAILED, and what `act` throws
   */
  async claimed<T>(key: string, act: () => Promise<T>): Promise<T> {
    const claim = await this.#take(key)
    const ending = new AbortController()
    const beating = this.#beat(claim, ending.signal)
    try {
      return await act()
    } finally {
      ending.abort()
      await beating
      await this.#change({ ...claim.holder, amount: 0, held: -1 })
    }
  }

  /** Takes the first claim of a key that is free. Claims before it are those of processes that have ended. */
  async #take(key: string): Promise<Claim> {
    const endsAt = this.#parts.environment.now() + KEPT
    for (let number = 0; ; number++) {
      const own = `${key}#${number}`
      const claim: Claim = {
        holder: { key: own, startsAt: 0, endsAt },
        beats: { key: `${own}#beats`, startsAt: 0, endsAt },
      }
      const full = await this.#parts.storage.counters.take([
        { ...claim.holder, amount: 0, held: 1, most: 1 },
        { ...claim.beats, amount: 1, held: 0, most: Number.MAX_SAFE_INTEGER },
      ])
      if (full.length === 0) return claim
      if (!(await this.#isLeft(claim))) throw compactionBusy()
    }
  }

  /** Whether the process that has a claim has ended. The first process that finds out marks the claim. */
  async #isLeft({ holder, beats }: Claim): Promise<boolean> {
    if (await this.#reaches(holder, LEFT)) return true
    const now = this.#parts.environment.elapsed()
    const before = this.#seen.get(holder.key)
    const count = await this.#count(beats, before?.beats ?? 0)
    if (before?.beats !== count) {
      this.#see(holder.key, { beats: count, at: now })
      return false
    }
    if (now - before.at < SILENCE) return false
    this.#seen.delete(holder.key)
    await this.#parts.storage.counters.add([{ ...holder, amount: 0, held: LEFT }])
    return true
  }

  #see(key: string, seen: Seen): void {
    const old = seen.at - KEPT
    for (const [other, { at }] of this.#seen) if (at < old) this.#seen.delete(other)
    this.#seen.set(key, seen)
  }

  /** Reads a counter of which at least a part is known, in steps that double: it tells only what it has reached. */
  async #count(window: CounterWindow, known: number): Promise<number> {
    let [count, step] = [known, 1]
    for (; await this.#reaches(window, count + step); step *= 2) count += step
    for (step /= 2; step >= 1; step /= 2) {
      if (await this.#reaches(window, count + step)) count += step
    }
    return count
  }

  async #reaches(window: CounterWindow, most: number): Promise<boolean> {
    const nothing = { ...window, amount: 0, held: 0, most }
    return (await this.#parts.storage.counters.take([nothing])).length > 0
  }

  /** Gives signs of life until the work has ended. */
  async #beat({ beats }: Claim, signal: AbortSignal): Promise<void> {
    while (await this.#slept(signal)) await this.#change({ ...beats, amount: 1, held: 0 })
  }

  /** Waits for the next sign of life. Returns false if the work has ended meanwhile. */
  async #slept(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#parts.environment.sleep(BEAT, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
    return !signal.aborted
  }

  /** A failure is logged: without a sign of life, another server may do the same work, which only costs its tokens. */
  async #change(change: CounterWindow & Record<'amount' | 'held', number>): Promise<void> {
    const { storage, environment, log } = this.#parts
    try {
      await withRetries(environment, () => storage.counters.add([change]))
    } catch (error) {
      const message = `The claim to a compaction cannot be stored: ${messageOf(error)}`
      log({ level: 'warn', message })
    }
  }
}

export function compactionBusy(): HostError {
  const message = 'The conversation is being compacted already. Wait until that has ended.'
  return new HostError('COMPACTION_BUSY', message)
}
