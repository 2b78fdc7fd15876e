import type { Log } from '@braidwork/plugin'
import { messageOf, toHostError } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { LiveRun } from './live-run.ts'

/** The pause between two tries, in milliseconds. */
const PAUSE = 1000

export interface UnendedRunsParts {
  readonly environment: Environment
  readonly log: Log
  /** Ends the tries. */
  readonly signal: AbortSignal
  /** Stores the end of a run. */
  readonly end: (live: LiveRun) => Promise<unknown>
}

/** Runs that are over, but whose ends the storage refused. It is asked again until it answers. */
export class UnendedRuns {
  readonly #parts: UnendedRunsParts
  readonly #runs = new Set<LiveRun>()
  #work: Promise<void> | undefined

  constructor(parts: UnendedRunsParts) {
    this.#parts = parts
  }

  add(live: LiveRun): void {
    this.#tell(live, live.error)
    this.#runs.add(live)
    this.#work ??= this.#endAll()
  }

  /** Resolves when the tries have ended. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #endAll(): Promise<void> {
    const { environment, signal } = this.#parts
    while (this.#runs.size > 0 && !signal.aborted) {
      try {
        await environment.sleep(PAUSE, signal)
      } catch (error) {
        if (signal.aborted) break
        throw error
      }
      for (const live of this.#runs) if (!(await this.#isEnded(live))) break
    }
    this.#work = undefined
  }

  async #isEnded(live: LiveRun): Promise<boolean> {
    try {
      await this.#parts.end(live)
    } catch (error) {
      if (toHostError(error, undefined, 'STORAGE_FAILED').retryable) return false
      // Its lease expires, and the run is taken as that of a process that has gone.
      this.#tell(live, error)
    }
    this.#runs.delete(live)
    return true
  }

  #tell({ run: { id: runId } }: LiveRun, error: unknown): void {
    const message = `The events of a run could not be stored: ${messageOf(error)}`
    this.#parts.log({ level: 'error', message, code: 'STORAGE_FAILED', runId })
  }
}
