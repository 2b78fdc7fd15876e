import type { Environment, Storage } from '@braidwork/agent'
import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

/** Milliseconds between two prunings. */
const PRUNE_EVERY = 60 * 60_000

export interface UpkeepParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  /** Sees to runs whose process has gone. */
  readonly recover: () => Promise<void>
  /** Milliseconds between two looks for runs whose process has gone. */
  readonly every: number
  /** Milliseconds after a run's end in which its deltas are kept. */
  readonly retention: number
}

/** What a server does by itself: sees to runs that were left, and takes old deltas out of the log. */
export class Upkeep {
  readonly #parts: UpkeepParts
  readonly #closing = new AbortController()
  #work: Promise<void> | undefined

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** Does all of it once, then again and again until it is closed. */
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
      // Nothing but the closing ends it before its time.
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
    if (prunes) await storage.runs.prune(now - retention, now)
  }

  #tell(error: unknown): void {
    this.#parts.log({ level: 'error', message: `Upkeep failed: ${messageOf(error)}` })
  }
}
