import type { Resumption } from '../agent/index.ts'
import { type LeaseTimes, RunLog, type RunReader } from '../agent/run-log/index.ts'
import type { StoredRun } from '../agent/storage/index.ts'
import { HostError, messageOf } from '../errors.ts'
import type { Message } from '../events/index.ts'
import { memoryStorage } from '../store/memory/index.ts'
import type { Identity } from './identity.ts'
import { holderOfThisProcess, isGone } from './process-holder.ts'
import { orderOf } from './run-order.ts'
import { type NewWork, RunWork, type RunWorkParts } from './run-work.ts'
import type { Rejoiner } from './turns/rejoin.ts'

export interface RunServiceParts extends RunWorkParts {
  readonly lease?: LeaseTimes
}

/** Begins, resumes, reads and stops runs of published models. */
export class RunService {
  readonly #parts: RunServiceParts
  readonly #stored: RunLog
  /** Of requests that nobody asked to store. */
  readonly #passing: RunLog
  readonly #passingStorage = memoryStorage()
  readonly #passingRuns = new Set<string>()
  readonly #work: RunWork

  constructor(parts: RunServiceParts) {
    this.#parts = parts
    const { storage, environment, log, lease } = parts
    const times = lease ? { lease } : {}
    const holder = holderOfThisProcess(environment.newId('lease'))
    this.#stored = new RunLog({ storage, environment, log, holder, ...times })
    this.#passing = new RunLog({ storage: this.#passingStorage, environment, log })
    this.#work = new RunWork(parts)
  }

  get rejoiner(): Rejoiner {
    return this.#work.rejoiner
  }

  get activeRuns(): number {
    return this.#stored.activeRuns + this.#passing.activeRuns
  }

  /**
   * Begins a run; one that was begun with the same key is given back.
   * @throws {HostError} CONVERSATION_BUSY, TOO_MANY_REQUESTS, HOST_CLOSED, STORAGE_FAILED
   */
  async start(work: NewWork): Promise<StoredRun> {
    const { identity, order, conversationId, append, abandonAfter, idempotencyKey } = work
    const prepared = await this.#work.prepare(work)
    const endRun = this.#parts.limits.beginRun(identity)
    try {
      const started = await this.#logFor(work.isStored).start({
        run: {
          id: this.#parts.environment.newId('run'),
          owner: identity.id,
          facts: { ...order },
          ...(conversationId === undefined ? {} : { conversationId }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        },
        ...(append ? { append } : {}),
        ...(abandonAfter === undefined ? {} : { abandonAfter }),
        open: (stored, signal) => this.#work.open(stored, { work: prepared, signal, endRun }),
      })
      if (started.outcome !== 'started') endRun()
      if (started.outcome === 'busy') throw busy(conversationId)
      if (!work.isStored) this.#passingRuns.add(started.run.id)
      return started.run
    } catch (error) {
      endRun()
      throw error
    }
  }

  /** Goes on with a suspended run; nothing where it is not suspended any more. */
  async resume(
    identity: Identity,
    suspended: StoredRun,
    { messages, resume, abandonAfter }: Resuming,
  ): Promise<StoredRun | undefined> {
    const order = orderOf(suspended)
    const work = await this.#work.prepare({ identity, order, messages, isStored: true })
    const endRun = this.#parts.limits.beginRun(identity)
    const resumed = await this.#stored
      .resume(identity.id, suspended.id, {
        ...(abandonAfter === undefined ? {} : { abandonAfter }),
        open: (stored, signal) => this.#work.open(stored, { work, signal, endRun, resume }),
      })
      .catch((error: unknown) => {
        endRun()
        throw error
      })
    if (!resumed) endRun()
    return resumed
  }

  /** @throws {HostError} RUN_UNKNOWN */
  async find({ id }: Identity, runId: string): Promise<StoredRun> {
    const stored = await this.#parts.storage.runs.load(id, runId)
    const found = stored ?? (await this.#passingStorage.runs.load(id, runId))
    if (found) return found
    throw new HostError('RUN_UNKNOWN', `There is no run "${runId.slice(0, 100)}".`)
  }

  /** The events of a run, by default of its present leg. */
  read(
    { owner, id, legSeq }: StoredRun,
    { after = legSeq - 1, signal }: { readonly after?: number; readonly signal?: AbortSignal } = {},
  ): RunReader {
    const log = this.#logFor(!this.#passingRuns.has(id))
    return log.read(owner, id, { after, ...(signal ? { signal } : {}) })
  }

  /** How many steps a run has taken so far. */
  async stepsOf({ owner, id }: StoredRun): Promise<number> {
    const last = await this.#parts.storage.runs.lastEvent(owner, id, 'step-start')
    return last?.type === 'step-start' ? last.step : 0
  }

  /** Stops a run at once. Whether it was at work. */
  async stop({ id: owner }: Identity, runId: string): Promise<boolean> {
    const reason = 'the run was stopped'
    const isStopped = await this.#passing.stop(owner, runId, reason)
    return isStopped || this.#stored.stop(owner, runId, reason)
  }

  /** Ends what processes have left: those that are known to be gone, and those whose leases are over. */
  async recover(): Promise<number> {
    const holders = await this.#parts.storage.runs.holders()
    return this.#stored.recover(holders.filter(isGone))
  }

  async close(): Promise<void> {
    await Promise.all([this.#stored.close(), this.#passing.close()])
  }

  #logFor(isStored: boolean): RunLog {
    return isStored ? this.#stored : this.#passing
  }

  /** Forgets a run that nobody asked to store, once it was answered. */
  async forget({ owner, id }: StoredRun): Promise<void> {
    this.#passingRuns.delete(id)
    try {
      await this.#passingStorage.runs.delete(owner, id)
    } catch (error) {
      this.#parts.log({ level: 'error', message: messageOf(error) })
    }
  }
}

interface Resuming {
  readonly messages: readonly Message[]
  readonly resume: Resumption
  readonly abandonAfter?: number
}

function busy(conversationId: string | undefined): HostError {
  return new HostError(
    'CONVERSATION_BUSY',
    `A run is active in the conversation "${conversationId}"; wait for its end, or stop it.`,
  )
}
