import { HostError } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import { runsBelow } from '../run-tree/index.ts'
import type { Storage, StoredRun } from '../storage/index.ts'
import type { Leases } from './leases.ts'
import { endLeftRun, type LeftEnd } from './left-runs.ts'
import type { OnLeft } from './options.ts'

export interface LeftEndsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly leases: Pick<Leases, 'holder' | 'next'>
  /** Whether this process works on a run. */
  readonly worksOn: (runId: string) => boolean
  /** Called with each root that was ended, once that is stored. */
  readonly onLeft?: OnLeft | undefined
}

/** Ends runs that no process ends: those whose process has gone, and those whose work cannot begin. */
export class LeftEnds {
  readonly #parts: LeftEndsParts

  constructor(parts: LeftEndsParts) {
    this.#parts = parts
  }

  /** Ends a run whose process has gone, after the runs below it. AL-24 */
  async interrupted(run: StoredRun): Promise<void> {
    await this.below(run)
    await this.#interrupt(run)
  }

  /** Ends a child run whose process has gone, unless its root goes on: then its parent takes it up. */
  async child(run: StoredRun): Promise<void> {
    const { runs } = this.#parts.storage
    const root = await runs.load(run.owner, run.place?.rootRunId ?? run.id)
    if (root?.status === 'active') return
    const left = await runs.load(run.owner, run.id)
    if (left?.status === 'active') await this.#interrupt(run)
  }

  /** Ends the runs below a run on which nobody works: no call waits for them any more. */
  async below(run: StoredRun): Promise<void> {
    const { storage, leases, worksOn } = this.#parts
    for (const { id, owner, status } of await runsBelow(run, storage)) {
      if (status !== 'active' || worksOn(id)) continue
      const left = await storage.runs.seize(owner, id, leases.next())
      if (left) await this.#interrupt(left)
    }
  }

  /** Ends a run whose lease this process has just taken. Returns whether there is one. */
  async aborted(run: StoredRun | undefined, reason: string): Promise<boolean> {
    if (run) await this.#end(run, { status: 'aborted', ending: { type: 'abort', reason } })
    return run !== undefined
  }

  /** Ends a run whose work could not begin. */
  failed(run: StoredRun, error: unknown): Promise<void> {
    const ending = { type: 'error', error: toHostError(error).toJSON() } as const
    return this.#end(run, { status: 'failed', ending })
  }

  #interrupt(run: StoredRun): Promise<void> {
    const message = 'The process that worked on this run ended before the run did.'
    const error = new HostError('RUN_INTERRUPTED', message).toJSON()
    return this.#end(run, { status: 'interrupted', ending: { type: 'error', error } })
  }

  async #end(run: StoredRun, end: LeftEnd): Promise<void> {
    const { storage, environment, leases, onLeft } = this.#parts
    const leg = await endLeftRun(run, end, { storage, environment, holder: leases.holder })
    if (leg && !run.place) onLeft?.(run, leg)
  }
}
