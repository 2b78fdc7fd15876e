import type { Environment, Storage } from '@braidwork/agent'
import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** The time between two prunings in milliseconds. */
const PRUNE_EVERY = 60 * 60_000

const DAY = 24 * PRUNE_EVERY
/** How long revoked and expired tokens stay in the list, in milliseconds. */
const TOKENS_KEPT = 90 * DAY
/** How long the counters of past windows are kept, in milliseconds, for runs that began in them. */
const COUNTERS_KEPT = 2 * DAY

export interface UpkeepParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  /** Ends or resumes runs that no process works on. */
  readonly recover: () => Promise<void>
  /** The time between two calls of `recover` in milliseconds. */
  readonly every: number
  /** How long after a run's end its single deltas are kept, in milliseconds. */
  readonly retention: number
}

/** The periodic work of a server: it recovers abandoned runs and merges the deltas of old ones. */
export class Upkeep {
  readonly #parts: UpkeepParts
  readonly #closing = new AbortController()
  #work: Promise<void> | undefined

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** Does all of it once, then repeats it until the server closes. */
  async begin(): Promise<void> {
    await this.#once(true)
    this.#work = this.#goOn()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#work
  }

  async #goOn(): Promise<void> {
    const { environment, every } = this.#parts
    const { signal } = this.#closing
    for (let sincePruned = every; !signal.aborted; sincePruned += every) {
      // Only closing the server rejects the sleep early.
      await environment.sleep(every, signal).catch(() => undefined)
      if (signal.aborted) break
      const isDue = sincePruned >= PRUNE_EVERY
      await this.#once(isDue).catch((e) => this.#tell(e))
      if (isDue) sincePruned = 0
    }
  }

  async #once(prunes: boolean): Promise<void> {
    const { storage, environment, recover, retention } = this.#parts
    await recover()
    const now = environment.now()
    if (!prunes) return
    await storage.conversations.expire(now)
    await storage.runs.prune(now - retention, now)
    await storage.tokens.prune(now - TOKENS_KEPT)
    await storage.counters.expire(now - COUNTERS_KEPT)
  }

  #tell(error: unknown): void {
    this.#parts.log({ level: 'error', message: `Upkeep failed: ${messageOf(error)}` })
  }
}
