import type { Environment } from '../agent/index.ts'
import type { Storage } from '../agent/storage/index.ts'
import { messageOf } from '../errors.ts'
import type { Log } from '../plugin/index.ts'

/** How often, in milliseconds, runs are looked for whose process has gone. */
const RECOVER_EVERY = 10_000
/** How many of these rounds pass between two prunings. */
const PRUNE_EVERY = 360

export interface UpkeepParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly recover: () => Promise<number>
  /** Milliseconds after a run's end in which its deltas are kept. */
  readonly retention: number
}

/** What a server does by itself: ends runs that were left, and takes old deltas out of the log. */
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
    const { signal } = this.#closing
    for (let round = 1; !signal.aborted; round++) {
      await this.#parts.environment.sleep(RECOVER_EVERY, signal).catch(() => undefined)
      if (!signal.aborted) await this.#once(round % PRUNE_EVERY === 0).catch((e) => this.#tell(e))
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
