import type { LateAnswerEvent, Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { RunStorage } from '../storage/index.ts'
import type { LateRecord } from '../tool-calls/index.ts'
import { withRetries } from './commit-queue.ts'
import type { LiveRun } from './live-run.ts'

export interface LateCallsParts {
  readonly runs: RunStorage
  readonly environment: Environment
  readonly log: Log
  /** Aborts when the process stops. */
  readonly signal: AbortSignal
}

/** Stores what tools answer to calls that runs cancelled while they ran, once the run's ending is stored. LR-03 */
export class LateCalls {
  readonly #parts: LateCallsParts
  readonly #storing = new Set<Promise<void>>()

  constructor(parts: LateCallsParts) {
    this.#parts = parts
  }

  /** Records the late answers of one run. */
  of(live: LiveRun): LateRecord {
    return {
      until: this.#parts.signal,
      record: (event) => {
        const stored = this.#store(live, event).finally(() => this.#storing.delete(stored))
        this.#storing.add(stored)
      },
    }
  }

  /** Resolves when the answers so far are stored. */
  async settled(): Promise<void> {
    await Promise.all(this.#storing)
  }

  async #store({ run, settled }: LiveRun, event: LateAnswerEvent): Promise<void> {
    const { runs, environment, log } = this.#parts
    await settled
    try {
      const store = () => runs.addLate(run.owner, run.id, event, environment.now())
      await withRetries(environment, store)
    } catch (error) {
      const message = `The late answer of a call cannot be stored: ${messageOf(error)}`
      log({ level: 'error', message, runId: run.id })
    }
  }
}
