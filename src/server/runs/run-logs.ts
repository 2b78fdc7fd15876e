import type { Environment, Storage, StoredRun } from '@braidwork/agent'
import { type LeaseTimes, type LeftLeg, RunLog, unmeasuredStorage } from '@braidwork/agent/internal'
import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Metrics } from '../metrics.ts'
import { childOrder } from '../run-order.ts'
import { holderOfThisProcess } from './process-holder.ts'
import { tellLeft } from './run-measures.ts'

export interface RunLogsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly lease?: LeaseTimes
  readonly metrics: Metrics
  /** Called with each stored run that this process ended without having worked on it. */
  readonly onLeft: (run: StoredRun) => void
}

/** The logs of a server's runs: of those that are stored, and of those that exist as long as their responses. */
export class RunLogs {
  readonly stored: RunLog
  readonly passing: RunLog
  readonly #passingStorage = unmeasuredStorage()
  /** The number of responses in progress for each unstored run, by run id. */
  readonly #passingRuns = new Map<string, number>()
  readonly #parts: RunLogsParts

  constructor(parts: RunLogsParts) {
    this.#parts = parts
    const { storage, environment, log, lease, metrics } = parts
    const times = lease ? { lease } : {}
    const holder = holderOfThisProcess(environment.newId('lease'))
    const onCommit = (waited: number) => metrics.addQueued(waited / 1000)
    const onLeft = (run: StoredRun, leg: LeftLeg): void => {
      tellLeft(parts, run, leg)
      parts.onLeft(run)
    }
    const common = { environment, log, childOrder }
    this.stored = new RunLog({ ...common, storage, holder, onCommit, onLeft, ...times })
    this.passing = new RunLog({ ...common, storage: this.#passingStorage })
  }

  get activeRuns(): number {
    return this.stored.activeRuns + this.passing.activeRuns
  }

  /** The log for a new run. */
  logFor(isStored: boolean): RunLog {
    return isStored ? this.stored : this.passing
  }

  /** The log that has a run. */
  logOf({ id }: StoredRun): RunLog {
    return this.logFor(!this.#passingRuns.has(id))
  }

  async find(owner: string, runId: string): Promise<StoredRun | undefined> {
    const stored = await this.#parts.storage.runs.load(owner, runId)
    return stored ?? (await this.#passingStorage.runs.load(owner, runId))
  }

  /**
   * Returns the active run that this process started with an idempotency key. The caller joins it at once, before its
   * last reader can leave.
   */
  begunWith(owner: string, key: string): StoredRun | undefined {
    return this.passing.begunWith(owner, key) ?? this.stored.begunWith(owner, key)
  }

  /** Counts one more response for an unstored run, or the telemetry, which reads the run when its client may have left. */
  addResponse({ id }: StoredRun, isStored: boolean): void {
    const answers = this.#passingRuns.get(id) ?? 0
    if (!isStored || answers > 0) this.#passingRuns.set(id, answers + 1)
  }

  /** Deletes an unstored run when its last response has ended. */
  async forget({ owner, id }: StoredRun): Promise<void> {
    const answers = (this.#passingRuns.get(id) ?? 1) - 1
    if (answers > 0) {
      this.#passingRuns.set(id, answers)
      return
    }
    this.#passingRuns.delete(id)
    try {
      await this.#passingStorage.runs.delete(owner, id)
    } catch (error) {
      this.#parts.log({ level: 'error', message: messageOf(error) })
    }
  }

  /** Counts one response less for an unstored run, as {@link forget}. Of a stored run nothing is counted. */
  async release(run: StoredRun): Promise<void> {
    if (this.#passingRuns.has(run.id)) await this.forget(run)
  }

  /** Stops a run at once, or ends one that waits. Returns whether there was one to stop. */
  async stop(owner: string, runId: string, reason: string): Promise<boolean> {
    const isStopped = await this.passing.stop(owner, runId, reason)
    return isStopped || this.stored.stop(owner, runId, reason)
  }

  async close(): Promise<void> {
    await Promise.all([this.stored.close(), this.passing.close()])
  }
}
