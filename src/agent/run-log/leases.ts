import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Environment } from '../environment.ts'
import type { Lease, Storage, StoredRun } from '../storage/index.ts'
import { LeaseWatch } from './lease-watch.ts'
import type { LiveRun } from './live-run.ts'

/**
 * `heartbeat` is the time in seconds between two renewals of a lease. `expiry` is the time in seconds without a
 * renewal after which a run counts as abandoned.
 */
export interface LeaseTimes {
  readonly heartbeat: number
  readonly expiry: number
}

const DEFAULT_TIMES: LeaseTimes = { heartbeat: 10, expiry: 30 }
/** How often a process checks whether it still holds its runs, in milliseconds. */
const LOOK = 500
/** How long a heartbeat that fails is silent after it was logged, in milliseconds. */
const TELL_AGAIN = 60_000
/** The holder of a run that no process has: one that was imported, or that a stopping process left. */
const NOBODY = ''

export interface LeasesParts {
  readonly runs: Storage['runs']
  readonly environment: Environment
  readonly log: Log
  /** The name of this process in its leases. */
  readonly holder: string
  readonly times?: LeaseTimes
  /** Stops the heartbeat. */
  readonly signal: AbortSignal
}

/** Tells which runs are this process's own, and which lease holders are processes known to have ended. */
export interface LeftRuns {
  readonly isOwn: (runId: string) => boolean
  readonly isGone: (holder: string) => boolean
}

/** The leases of one process. It renews its own, and takes over those of processes that have ended. */
export class Leases {
  readonly #parts: LeasesParts
  readonly #times: LeaseTimes
  readonly #watch = new LeaseWatch()
  #heartbeat: Promise<void> | undefined
  /** When a failure of the heartbeat was logged last, while it fails. */
  #toldAt: number | undefined

  constructor(parts: LeasesParts) {
    this.#parts = parts
    this.#times = parts.times ?? DEFAULT_TIMES
  }

  get holder(): string {
    return this.#parts.holder
  }

  /** Returns a lease for this process that starts now. */
  next(): Lease {
    const { environment, holder } = this.#parts
    return { holder, expiresAt: environment.now() + this.#times.expiry * 1000 }
  }

  /**
   * Takes over the runs whose process has ended. A process counts as ended if `isGone` says so, or if its lease was
   * not renewed for a whole expiry time while this process watched.
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

  /** Gives up the lease of a run, if this process has it, so that the next one that looks takes it at once. */
  async release({ id }: StoredRun): Promise<void> {
    const { runs, holder } = this.#parts
    const own = (await runs.leases()).filter(
      (lease) => lease.runId === id && lease.holder === holder,
    )
    await runs.takeOver({ holder: NOBODY, expiresAt: 0 }, own)
  }

  /**
   * Renews the leases of the live runs until none is left, and stops each run that another process has taken over.
   */
  keep(live: ReadonlyMap<string, LiveRun>): void {
    this.#heartbeat ??= this.#beat(live)
  }

  /** Resolves when the heartbeat has stopped. */
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
      this.#tellRenewed()
    } catch (error) {
      this.#tellFailed(error)
    }
  }

  /** Logs the first failure, and then one a minute: the heartbeat comes twice a second. */
  #tellFailed(error: unknown): void {
    const { environment, log } = this.#parts
    const now = environment.elapsed()
    if (this.#toldAt !== undefined && now - this.#toldAt < TELL_AGAIN) return
    this.#toldAt = now
    const message = `The leases of this process's runs could not be renewed: ${messageOf(error)}`
    log({ level: 'error', message })
  }

  #tellRenewed(): void {
    if (this.#toldAt === undefined) return
    this.#toldAt = undefined
    this.#parts.log({
      level: 'info',
      message: "The leases of this process's runs are renewed again.",
    })
  }

  /** Returns the runs that this process still holds. On a heartbeat it also renews their leases. */
  async #held(ids: readonly string[], isBeat: boolean): Promise<ReadonlySet<string>> {
    const { runs, holder } = this.#parts
    return new Set(await (isBeat ? runs.renew(ids, this.next()) : runs.held(holder, ids)))
  }
}
