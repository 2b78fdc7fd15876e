import { HostError } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type RunStart, type StoredRun, storedContext } from '../storage/index.ts'
import { stopWhenAbandoned } from './abandoned.ts'
import { childLog } from './child-log.ts'
import { CommitQueue } from './commit-queue.ts'
import { KeyedRuns } from './keyed-runs.ts'
import { LateCalls } from './late-calls.ts'
import { Leases } from './leases.ts'
import { LeftEnds } from './left-ends.ts'
import { leftRun } from './left-runs.ts'
import { LiveRun, SERVER_STOPPING } from './live-run.ts'
import type { GoOn, OwnWork, ReadOptions, RunBeginning, RunLogOptions, RunWork } from './options.ts'
import { record } from './recorder.ts'
import { RunReader } from './run-reader.ts'
import { runSource } from './run-source.ts'
import { UnendedRuns } from './unended-runs.ts'

/** How often a leg goes on after its process ended; a run may be the reason why processes end. */
const MOST_RESUMPTIONS = 3

/**
 * The log of runs. One recorder per run consumes its stream and stores each event before anyone sees it. Readers
 * read the log: any number of them, at any time, without slowing one another.
 */
export class RunLog {
  readonly #options: RunLogOptions
  readonly #leases: Leases
  readonly #queue: CommitQueue
  readonly #late: LateCalls
  readonly #ends: LeftEnds
  readonly #live = new Map<string, LiveRun>()
  readonly #keyed = new KeyedRuns()
  readonly #unended: UnendedRuns
  readonly #closing = new AbortController()

  constructor(options: RunLogOptions) {
    const { storage, environment, log, lease, holder = environment.newId('lease') } = options
    const { onCommit, onLeft } = options
    this.#options = options
    const times = lease ? { times: lease } : {}
    const { signal } = this.#closing
    this.#leases = new Leases({ runs: storage.runs, environment, log, holder, signal, ...times })
    this.#queue = new CommitQueue({ runs: storage.runs, environment, holder, onCommit })
    this.#late = new LateCalls({ runs: storage.runs, environment, log, signal })
    const worksOn = (id: string) => this.worksOn(id)
    this.#ends = new LeftEnds({ storage, environment, leases: this.#leases, worksOn, onLeft })
    const end = (live: LiveRun) => this.#giveUp(live)
    this.#unended = new UnendedRuns({ environment, log, signal, end })
  }

  /** @throws {HostError} HOST_CLOSED */
  assertOpen(): void {
    if (this.#closing.signal.aborted) {
      throw new HostError('HOST_CLOSED', 'The server is stopping and starts no new runs.')
    }
  }

  /** The number of runs that this process is working on. */
  get activeRuns(): number {
    return this.#live.size
  }

  /** Whether this process works on a run. It does until the end of the run is stored. */
  worksOn(runId: string): boolean {
    return this.#live.has(runId)
  }

  /**
   * Starts a run, unless one is active in its conversation or was already started with its idempotency key.
   * @throws {HostError} HOST_CLOSED, CONVERSATION_UNKNOWN, STORAGE_FAILED; what `open` throws, with which the run fails
   */
  async start({ run, append = { entries: [] }, ...work }: RunBeginning): Promise<RunStart> {
    this.assertOpen()
    const { storage, environment } = this.#options
    const start = await storage.runs.start(run, this.#leases.next(), append, environment.now())
    if (start.outcome !== 'started') return start
    const live = await this.#begin(start.run, work)
    const { owner, idempotencyKey } = run
    if (idempotencyKey !== undefined) this.#keyed.keep(owner, idempotencyKey, live)
    return start
  }

  /** Returns the run that this process started with the key and still works on, if any. */
  begunWith(owner: string, idempotencyKey: string): StoredRun | undefined {
    return this.#keyed.find(owner, idempotencyKey)?.run
  }

  /**
   * Resumes a suspended run. Returns undefined if the run is not suspended or another process has resumed it.
   * @throws {HostError} as {@link start}
   */
  async resume(owner: string, runId: string, work: RunWork): Promise<StoredRun | undefined> {
    this.assertOpen()
    const run = await this.#options.storage.runs.resume(owner, runId, this.#leases.next())
    if (run) await this.#begin(run, work)
    return run
  }

  /**
   * Reads the events after `after`, in batches as they arrive, to the end of the run's leg. A slow reader gets from the
   * storage the events that are no longer in memory.
   * @throws {HostError} RUN_UNKNOWN; READER_BEHIND if a slow reader's events were deleted; STORAGE_FAILED
   */
  read(owner: string, runId: string, { after = -1, signal }: ReadOptions = {}): RunReader {
    const { storage, environment, log } = this.#options
    const parts = { runs: storage.runs, environment, log, live: this.#live }
    return new RunReader(runSource(parts, owner, runId), after, signal)
  }

  /**
   * Stops a run at once, in whichever process it runs, or ends one that waits for approvals, with those below it. Returns
   * whether there was a run to stop.
   */
  async stop(owner: string, runId: string, reason: string): Promise<boolean> {
    const live = this.#live.get(runId)
    if (live?.run.owner === owner) {
      live.stop(reason)
      await live.settled
      return true
    }
    const { runs } = this.#options.storage
    const active = await runs.seize(owner, runId, this.#leases.next())
    const left = active ?? (await runs.resume(owner, runId, this.#leases.next()))
    return this.#ends.aborted(left, reason)
  }

  /**
   * Takes the runs whose process has ended, and goes on with them or ends them as interrupted. The events that they had
   * stored are kept. A process counts as ended if `isGone` says so, or if it did not renew its lease for a whole expiry
   * time while this process watched. By default no run goes on. A child run goes on with its root: its parent finds it by
   * its place. Returns the number of runs taken.
   */
  async recover(isGone: (holder: string) => boolean = () => false, goOn?: GoOn): Promise<number> {
    const left = await this.#leases.takeLeft({ isOwn: (id) => this.#live.has(id), isGone })
    for (const run of left.filter(({ place }) => !place)) {
      const work = goOn && (await this.#workFor(run, goOn))
      if (work) await this.#goOn(run, work).catch((error: unknown) => this.#tell(run, error))
      else await this.#ends.interrupted(run)
    }
    for (const run of left) if (run.place) await this.#ends.child(run)
    return left.length
  }

  /**
   * Stops all runs of this process and waits until their endings are stored. Runs with which another process goes on get
   * none: once this one has stopped working on them, the next that looks takes them.
   */
  async close(): Promise<void> {
    this.#closing.abort(SERVER_STOPPING)
    const live = [...this.#live.values()]
    for (const run of live) if (!run.resumes) run.stop(SERVER_STOPPING)
    await Promise.all(live.map((run) => (run.resumes ? this.#leave(run) : run.settled)))
    await this.#queue.settled()
    await this.#late.settled()
    await this.#leases.settled()
    await this.#unended.settled()
  }

  /** Stops the work on a run, without an end of it. */
  async #leave(live: LiveRun): Promise<void> {
    // What has happened is stored first, so that it does not happen again.
    await this.#queue.written(live)
    live.leave()
    await live.settled
    if (!live.isLeft) return
    await this.#leases.release(live.run).catch((error: unknown) => this.#tell(live.run, error))
  }

  /** Ends a run that is over but has no end, or leaves it to the process that goes on with it. */
  async #giveUp({ run, resumes, error }: LiveRun): Promise<void> {
    if (this.worksOn(run.id)) return
    await (resumes ? this.#leases.release(run) : this.#ends.failed(run, error))
  }

  /** Begins the work on a run. A run whose work cannot be opened fails. */
  async #begin(run: StoredRun, work: OwnWork): Promise<LiveRun> {
    try {
      return this.#work(run, work)
    } catch (error) {
      await this.#ends.failed(run, error).catch((fault) => this.#tell(run, fault))
      throw error
    }
  }

  /** Goes on with a run of a process that has gone. What it has not taken up of the runs below it ends with its leg. */
  #goOn(run: StoredRun, work: RunWork): Promise<LiveRun> {
    return this.#begin(run, { ...work, onEnd: () => this.#ends.below(run) })
  }

  #work(run: StoredRun, { open, abandonAfter, resumes, onEnd }: OwnWork): LiveRun {
    // A child run is taken up by its parent, which calls for it.
    const parent = run.place && this.#live.get(run.place.parentRunId)
    const live = new LiveRun(run, parent?.resumes ?? resumes)
    const { storage, environment } = this.#options
    const parts = { storage, environment, queue: this.#queue, holder: this.#leases.holder }
    const leg = {
      signal: live.signal,
      committed: () => this.#queue.stored(live),
      late: this.#late.of(live),
      fault: () => live.fault,
      settled: live.settled,
      childLog: childLog(this.#asLog, run),
      shared: storedContext(storage.shared, run),
    }
    const stream = open(run, leg)
    this.#live.set(run.id, live)
    if (abandonAfter !== undefined) stopWhenAbandoned(live, abandonAfter, environment)
    void record(stream, live, parts).then(async () => {
      if (!live.isLeft) await onEnd?.().catch((error: unknown) => this.#tell(run, error))
      this.#live.delete(run.id)
      live.finish()
      if (live.error && !live.isLeft) this.#unended.add(live)
    })
    this.#leases.keep(this.#live)
    return live
  }

  /** This log, as it records the children of its runs. */
  get #asLog(): Parameters<typeof childLog>[0] {
    const { storage, childOrder } = this.#options
    return {
      storage,
      lease: () => this.#leases.next(),
      orderOf: (parent, child) => childOrder?.(parent, child) ?? { prompt: child.prompt },
      start: (beginning) => this.start(beginning),
      resume: (owner, runId, work) => this.resume(owner, runId, work),
      goOn: async (owner, runId, work) => {
        this.assertOpen()
        const run = await storage.runs.seize(owner, runId, this.#leases.next())
        if (run) await this.#goOn(run, work)
      },
      settled: async (runId) => this.#live.get(runId)?.settled,
    }
  }

  async #workFor(run: StoredRun, goOn: GoOn): Promise<RunWork | undefined> {
    const left = await leftRun(run, this.#options.storage)
    return left.interruption.resumptions < MOST_RESUMPTIONS ? goOn(left) : undefined
  }

  #tell({ id: runId }: StoredRun, error: unknown): void {
    this.#options.log({ level: 'error', message: `A run cannot go on: ${messageOf(error)}`, runId })
  }
}
