import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { Lease, Storage, StoredRun } from '../storage/index.ts'
import { LeaseWatch } from './lease-watch.ts'
import type { LiveRun } from './live-run.ts'

/** Seconds between two signs of life, and after how many without one a run counts as left. */
export interface LeaseTimes {
  readonly heartbeat: number
  readonly expiry: number
}

const DEFAULT_TIMES: LeaseTimes = { heartbeat: 10, expiry: 30 }
/** How often, in milliseconds, a process looks whether its runs are still its own. */
const LOOK = 500
/** The holder of a run that was imported. */
const NOBODY = ''

export interface LeasesParts {
  readonly runs: Storage['runs']
  readonly environment: Environment
  readonly log: Log
  /** The name of this process in its leases. */
  readonly holder: string
  readonly times?: LeaseTimes
  /** Ends the heartbeat. */
  readonly signal: AbortSignal
}

/** How runs are told apart that no process is at work on any more. */
export interface LeftRuns {
  readonly isOwn: (runId: string) => boolean
  readonly isGone: (holder: string) => boolean
}

/** The leases of one process: it renews its own, and takes over those of processes that have gone. */
export class Leases {
  readonly #parts: LeasesParts
  readonly #times: LeaseTimes
  readonly #watch = new LeaseWatch()
  #heartbeat: Promise<void> | undefined

  constructor(parts: LeasesParts) {
    this.#parts = parts
    this.#times = parts.times ?? DEFAULT_TIMES
  }

  get holder(): string {
    return this.#parts.holder
  }

  /** A lease of this process from now on. */
  next(): Lease {
    const { environment, holder } = this.#parts
    return { holder, expiresAt: environment.now() + this.#times.expiry * 1000 }
  }

  /**
   * Takes over the runs whose process has gone: `isGone` knows its holder, or it gave no sign of life for as
   * long as a lease holds, while this process watched.
   */
  async takeLeft({ isOwn, isGone }: LeftRuns): Promise<readonly StoredRun[]> {
    const { runs, environment } = this.#parts
    const others = (await runs.leases()).filter(({ runId }) => !isOwn(runId))
    const since = environment.elapsed() - this.#times.expiry * 1000
    this.#watch.see(others, environment.elapsed())
    const gone = new Set([...new Set(others.map(({ holder }) => holder))].filter(isGone))
    const over = others.filter(
      (lease) =>
        lease.holder === NOBODY ||
        gone.has(lease.holder) ||
        this.#watch.isUnchangedSince(lease, since),
    )
    return runs.takeOver(this.next(), over)
  }

  /** Renews the leases of runs for as long as there are any, and stops the runs that others took over. */
  keep(live: ReadonlyMap<string, LiveRun>): void {
    this.#heartbeat ??= this.#beat(live)
  }

  /** When the heartbeat has ended. */
  async settled(): Promise<void> {
    await this.#heartbeat
  }

  async #beat(live: ReadonlyMap<string, LiveRun>): Promise<void> {
    const { environment, signal } = this.#parts
    const pause = Math.min(LOOK, this.#times.heartbeat * 1000)
    for (let sinceBeat = pause; !signal.aborted && live.size > 0; sinceBeat += pause) {
      await environment.sleep(pause, signal).catch(() => undefined)
      if (signal.aborted) break
      const isDue = sinceBeat >= this.#times.heartbeat * 1000
      await this.#stopLost(live, isDue)
      if (isDue) sinceBeat = 0
    }
    this.#heartbeat = undefined
  }

  async #stopLost(live: ReadonlyMap<string, LiveRun>, isBeat: boolean): Promise<void> {
    const ids = [...live.keys()]
    try {
      const held = await this.#held(ids, isBeat)
      for (const id of ids) {
        if (!held.has(id)) live.get(id)?.stop('another process has taken the run over')
      }
    } catch (error) {
      const message = `The leases of runs could not be renewed: ${messageOf(error)}`
      this.#parts.log({ level: 'error', message })
    }
  }

  /** Those of the runs that this process holds still; at a beat their leases are renewed. */
  async #held(ids: readonly string[], isBeat: boolean): Promise<ReadonlySet<string>> {
    const { runs, holder } = this.#parts
    return new Set(await (isBeat ? runs.renew(ids, this.next()) : runs.held(holder, ids)))
  }
}
