import type { StoredRun } from '@braidwork/agent'
import type { GoOn, RunWork as LegWork, ReadOptions, RunReader } from '@braidwork/agent/internal'
import { turnFor } from '@braidwork/core/internal'
import type { Message } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import type { Identity } from '../identity.ts'
import { orderOf } from '../run-order.ts'
import { ShownErrors } from '../shown-errors.ts'
import type { Counted, Embedding } from './embedding.ts'
import { isGone } from './process-holder.ts'
import { conversationBusy, runUnknown } from './run-faults.ts'
import { RunLogs } from './run-logs.ts'
import {
  type GoingOn,
  type NewWork,
  type Opening,
  type Resuming,
  type RunServiceParts,
  whenLeft,
} from './run-parts.ts'
import { RunWork } from './run-work.ts'
import { reusedKey, UsedKeys } from './used-keys.ts'

/** Starts, resumes, reads and stops runs of published models. */
export class RunService {
  readonly #parts: RunServiceParts
  readonly #logs: RunLogs
  readonly #work: RunWork
  readonly #usedKeys: UsedKeys
  readonly shownErrors: ShownErrors
  readonly work: Pick<RunWork, 'modelWork' | 'plans' | 'rejoiner' | 'decided' | 'dryRun'>

  /** @param earlier the service of a server before its options changed. Its runs go on, with their host. */
  constructor(parts: RunServiceParts, earlier?: RunService) {
    this.#parts = parts
    const onLeft = (run: StoredRun) => void this.#told(run)
    const onLegEnd = (run: StoredRun) => void this.#told(run)?.then(() => this.#logs.release(run))
    this.#logs = earlier ? earlier.#logs : new RunLogs({ ...parts, onLeft })
    this.#work = new RunWork({ ...parts, onLegEnd }, earlier ? earlier.#work : undefined)
    this.work = this.#work
    this.shownErrors = new ShownErrors(parts.showsUpstreamErrors ?? false)
    this.#usedKeys = earlier ? earlier.#usedKeys : new UsedKeys(() => parts.environment.elapsed())
  }

  get activeRuns(): number {
    return this.#logs.activeRuns
  }

  /**
   * Returns the run that was started with the request's idempotency key, for one more response. This starts and
   * stores nothing, so no limit applies.
   * @throws {HostError} IDEMPOTENCY_KEY_REUSED, STORAGE_FAILED
   */
  async repeated(asked: Repeatable): Promise<StoredRun | undefined> {
    const { identity, isStored, idempotencyKey: key } = asked
    if (key === undefined) return undefined
    const active = this.#logs.begunWith(identity.id, key)
    if (active) return this.#shared(active, asked)
    this.#usedKeys.assertSame(identity.id, asked)
    if (!isStored) return undefined
    const stored = await this.#parts.storage.runs.begunWith(identity.id, key)
    return stored && this.#shared(stored, asked)
  }

  /**
   * Starts a run, or returns the run that was started with the same idempotency key.
   * @throws {HostError} STORAGE_QUOTA_EXCEEDED, REQUEST_TOO_LARGE, IDEMPOTENCY_KEY_REUSED, CONVERSATION_BUSY,
   * TOO_MANY_REQUESTS, HOST_CLOSED, STORAGE_FAILED
   */
  async start(work: NewWork): Promise<StoredRun> {
    const known = await this.repeated(work)
    if (known) return known
    const { identity, conversationId, append, idempotencyKey, digest } = work
    if (work.isStored) await this.#parts.quotas.assertMessagesFit(identity, conversationId)
    const order = await this.#work.decided(work)
    const prepared = await this.#work.prepare({ ...work, order })
    await turnFor(work.messages, work.order.tools)
    const id = this.#parts.environment.newId('run')
    const waiting = await this.#parts.notices?.waitingIn(identity.id, conversationId)
    const metered = await this.#work.begin(prepared, () => this.#cut(identity, id))
    try {
      const started = await this.#logs.logFor(work.isStored).start({
        run: {
          id,
          owner: identity.id,
          order: { ...order, ...(digest === undefined ? {} : { digest }) },
          ...(conversationId === undefined ? {} : { conversationId }),
          ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        },
        ...(append ? { append } : {}),
        ...whenLeft(this.#parts.host, prepared),
        open: (stored, leg) => {
          this.#notify(stored)
          const stream = this.#work.open(stored, { work: prepared, leg, metered })
          if (this.#parts.telemetry) this.#logs.addResponse(stored, work.isStored)
          return stream
        },
      })
      if (started.outcome !== 'started') metered.end()
      if (started.outcome === 'busy') throw conversationBusy(conversationId)
      if (started.outcome === 'started') this.#usedKeys.add(identity.id, work)
      if (waiting && started.outcome === 'started') this.#notify({ ...waiting, status: 'aborted' })
      return this.#shared(started.run, work)
    } catch (error) {
      this.#work.steered.end(id)
      metered.end()
      throw error
    }
  }

  /**
   * Prepares a further leg of a run. It counts nothing yet.
   * @throws {HostError} MODEL_UNPUBLISHED, MESSAGES_INVALID, and the errors of an agent that is broken
   */
  prepared(identity: Identity, run: StoredRun, messages: readonly Message[]) {
    const talk = run.conversationId === undefined ? {} : { conversationId: run.conversationId }
    const order = orderOf(run)
    return this.#work.prepare({ identity, order, messages, isStored: true, ...talk })
  }

  /**
   * Resumes a suspended run. Returns undefined if it is no longer suspended, or if its answers say that it waits on.
   * @throws {HostError} HOST_CLOSED, TOO_MANY_REQUESTS, before the answers are asked for; STORAGE_FAILED
   */
  async resume({ id: runId }: StoredRun, resuming: Resuming): Promise<StoredRun | undefined> {
    const { work, abandonAfter, answers } = resuming
    const log = this.#logs.stored
    log.assertOpen()
    const metered = await this.#work.begin(work, () => this.#cut(work.identity, runId))
    let resumed: StoredRun | undefined
    try {
      const resume = await answers()
      const leg = resume && this.#legOf({ work, metered, resume }, abandonAfter)
      resumed = leg && (await log.resume(work.identity.id, runId, leg))
      return resumed
    } finally {
      if (!resumed) metered.end()
    }
  }

  /**
   * Prepares the rest of a leg whose process ended. It counts as a run of its owner until its end.
   * @throws {HostError} TOO_MANY_REQUESTS, and the errors of {@link prepared}
   */
  async goOn(identity: Identity, run: StoredRun, left: GoingOn): Promise<LegWork> {
    const { messages, resume, abandonAfter } = left
    const work = await this.prepared(identity, run, messages)
    const metered = await this.#work.begin(work, () => this.#cut(identity, run.id))
    return this.#legOf({ work, metered, resume }, abandonAfter)
  }

  #legOf(opening: Omit<Opening, 'leg'>, abandonAfter: number): LegWork {
    const { work, metered } = opening
    return {
      ...whenLeft(this.#parts.host, { ...work, abandonAfter }),
      open: (stored, leg) => {
        try {
          this.#notify(stored)
          return this.#work.open(stored, { ...opening, leg })
        } catch (error) {
          this.#work.steered.end(stored.id)
          metered.end()
          throw error
        }
      },
    }
  }

  /** @throws {HostError} RUN_UNKNOWN */
  async find({ id }: Identity, runId: string): Promise<StoredRun> {
    const found = await this.#logs.find(id, runId)
    if (!found) throw runUnknown(runId)
    return found
  }

  /** Reads the events of a run. By default it begins with the present leg. */
  read(run: StoredRun, { after = run.legSeq - 1, ...rest }: ReadOptions = {}): RunReader {
    return this.#logs.logOf(run).read(run.owner, run.id, { after, ...rest })
  }

  /** Stops a run at once, or ends one that waits for a person. Returns whether there was one to stop. */
  async stop({ id }: Identity, runId: string, reason = 'the run was stopped'): Promise<boolean> {
    const run = await this.#logs.find(id, runId)
    const isStopped = await this.#logs.stop(id, runId, reason)
    if (isStopped && run?.status === 'suspended') this.#notify(run)
    return isStopped
  }

  /** Says something to an active run. @throws {HostError} the errors of {@link SteeredRuns.say} */
  say(run: StoredRun, message: Message): Promise<void> {
    return this.#work.steered.say(run.id, message, this.#logs.logOf(run).worksOn(run.id))
  }

  /** Waits until no process works on a run any more. @throws {HostError} STORAGE_FAILED */
  async ended(run: StoredRun, signal: AbortSignal): Promise<void> {
    for await (const _ of this.read(run, { after: Number.MAX_SAFE_INTEGER, signal }));
  }

  /** Stops a run whose caller may no longer use the server. A failure to store its ending is logged. */
  async #cut(identity: Identity, runId: string): Promise<void> {
    await this.stop(identity, runId, 'the token of the caller has ended').catch((error: unknown) =>
      this.#parts.log({ level: 'error', message: messageOf(error), runId }),
    )
  }

  /** Makes embeddings, without a run. @throws {HostError} the errors of {@link RunWork.embed} */
  embed(identity: Identity, embedding: Embedding): Promise<Counted> {
    return this.#work.embed(identity, embedding)
  }

  /** Takes the runs whose process has certainly ended, or whose lease has expired. Returns their number. */
  recover(goOn: GoOn): Promise<number> {
    return this.#logs.stored.recover(isGone, (left) => {
      this.#notify(left.run)
      return goOn(left)
    })
  }

  /** Posts the states of a task to its receivers, from this leg on. */
  #notify(run: StoredRun): void {
    this.#parts.notices?.watch(run, {
      read: (signal) => this.read(run, { after: -1, signal }),
      mark: (event) => this.shownErrors.markIn(event),
    })
  }

  #told(run: StoredRun): Promise<void> | undefined {
    return this.#parts.telemetry?.tell(run, (signal) => this.read(run, { signal }))
  }

  async close(): Promise<void> {
    await this.#logs.close()
    await this.#work.settled()
  }

  /** Checks that a repeated request equals the first one, and counts one more response for an unstored run. */
  #shared(run: StoredRun, { digest, isStored }: Repeatable): StoredRun {
    const first = orderOf(run).digest
    if (digest !== undefined && first !== undefined && digest !== first) throw reusedKey()
    this.#logs.addResponse(run, isStored)
    return run
  }

  /** Deletes an unstored run when its last response has ended. */
  forget(run: StoredRun): Promise<void> {
    return this.#logs.forget(run)
  }
}

type Repeatable = Pick<NewWork, 'identity' | 'isStored' | 'idempotencyKey' | 'digest'>
