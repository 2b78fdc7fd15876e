import { type Environment, type Resumption, type RunResult, run } from '../agent/index.ts'
import { type LeaseTimes, RunLog, type RunReader } from '../agent/run-log/index.ts'
import type { NewEntry, Storage, StoredRun } from '../agent/storage/index.ts'
import { HostError, messageOf } from '../errors.ts'
import type { Message } from '../events/index.ts'
import { maskedLog } from '../host/core.ts'
import { coreOf } from '../host/host.ts'
import type { Host } from '../host/index.ts'
import type { Log, ToolSchema } from '../plugin/internal.ts'
import { type ConfigLayer, mergeLayers } from '../schema/layers.ts'
import { memoryStorage } from '../store/memory/index.ts'
import type { RequestSettings, RunFacts } from '../wire/protocol.ts'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import { holderOfThisProcess, isGone } from './process-holder.ts'
import type { Catalogue } from './published.ts'
import { toRefusals } from './tool-policy.ts'
import { Rejoiner } from './turns/rejoin.ts'
import { withUploads } from './uploads.ts'

/** What the server is made of. */
export interface RunServiceParts {
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly limits: Limits
  readonly catalogue: Catalogue
  /** Protocols without a word for approvals on which tools whose policy is `ask` are run all the same. */
  readonly askAllowedOn: readonly string[]
  readonly lease?: LeaseTimes
  readonly metrics: Metrics
  /** Whether the log has what was asked and answered. */
  readonly logsContent?: boolean
}

/** What is kept with a run: how it was asked for. */
export interface RunOrder {
  readonly protocol: string
  /** The published name. */
  readonly model: string
  readonly messageId: string
  readonly createdAt: number
  readonly settings: RequestSettings
  /** Tools of the client. */
  readonly tools: readonly ToolSchema[]
  /** Whether calls may wait for a person's approval, as far as the protocol can ask for one. */
  readonly asks: boolean
  /** What is said of the run besides, whenever it is asked for. */
  readonly about?: object
}

/** A run to be begun. */
export interface NewWork {
  readonly identity: Identity
  readonly order: RunOrder
  /** All that the model is shown. */
  readonly messages: readonly Message[]
  readonly conversationId?: string
  readonly append?: { readonly entries: readonly NewEntry[]; readonly parent?: string | null }
  readonly idempotencyKey?: string
  /** Milliseconds without a reader after which it is stopped; never where it is not said. */
  readonly abandonAfter?: number
  /** Whether its events outlive the process; what is not stored is gone when it was answered. */
  readonly isStored: boolean
}

/** Begins, resumes, reads and stops runs of published models. */
export class RunService {
  readonly #parts: RunServiceParts
  readonly #stored: RunLog
  /** Of requests that nobody asked to store. */
  readonly #passing: RunLog
  readonly #passingStorage = memoryStorage()
  readonly #passingRuns = new Set<string>()
  readonly rejoiner: Rejoiner

  constructor(parts: RunServiceParts) {
    this.#parts = parts
    const { storage, environment, log, lease } = parts
    const times = lease ? { lease } : {}
    const holder = holderOfThisProcess(environment.newId('lease'))
    this.#stored = new RunLog({ storage, environment, log, holder, ...times })
    this.#passing = new RunLog({ storage: this.#passingStorage, environment, log })
    this.rejoiner = new Rejoiner(() => environment.now())
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
    const prepared = await this.#prepare(work)
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
        open: (stored, signal) => this.#open(stored, { work: prepared, signal, endRun }),
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
    const work = await this.#prepare({ identity, order, messages, isStored: true })
    const endRun = this.#parts.limits.beginRun(identity)
    const resumed = await this.#stored
      .resume(identity.id, suspended.id, {
        ...(abandonAfter === undefined ? {} : { abandonAfter }),
        open: (stored, signal) => this.#open(stored, { work, signal, endRun, resume }),
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
  async stepsOf({ id }: StoredRun): Promise<number> {
    let steps = 0
    const { runs } = this.#parts.storage
    for (let after = -1; ; ) {
      const page = await runs.events(id, { after })
      if (page.length === 0) return steps
      steps += page.filter(({ type }) => type === 'step-start').length
      after = page.at(-1)?.seq ?? after
    }
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

  /** With the files that were uploaded, and what the caller has set for himself. */
  async #prepare(work: NewWork): Promise<PreparedWork> {
    const { files, settings } = this.#parts.storage
    const { identity, order, messages } = work
    const own = order.asks ? await settings.load(identity.id) : undefined
    return { ...work, messages: await withUploads(messages, identity, files), own: own ?? {} }
  }

  #logFor(isStored: boolean): RunLog {
    return isStored ? this.#stored : this.#passing
  }

  #open(stored: StoredRun, { work, signal, endRun, resume }: Opening) {
    const { identity, order, messages, own } = work
    const { host, environment } = this.#parts
    this.#parts.metrics.countRun()
    const stream = run(host, {
      config: this.#configFor(identity, order, own),
      messages,
      tools: order.tools,
      signal,
      runId: stored.id,
      environment,
      ...(stored.conversationId === undefined ? {} : { conversationId: stored.conversationId }),
      ...(resume ? { resume } : {}),
    })
    this.#logContent('asked', stored, messages)
    void stream.result.then((result) => {
      endRun()
      this.#logContent('answered', stored, result.messages)
      this.#account(identity, order, result)
    })
    return stream
  }

  #logContent(message: string, { id: runId }: StoredRun, messages: readonly Message[]): void {
    const { log, host, logsContent } = this.#parts
    if (!logsContent) return
    const core = coreOf(host)
    maskedLog({ ...core, log }, core.config)({ level: 'info', message, runId, messages })
  }

  #configFor(identity: Identity, order: RunOrder, own: ConfigLayer): ConfigLayer {
    const { model, settings, asks, protocol } = order
    const { host, catalogue, askAllowedOn } = this.#parts
    const { config } = catalogue.find(identity, model)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const policy = asks ? {} : toRefusals(host, config, asked)
    return mergeLayers(config, own, settings, policy)
  }

  #account(identity: Identity, { tools }: RunOrder, { messages, finishReason }: RunResult): void {
    for (const { metadata } of messages) {
      const cost = metadata?.['cost']
      const total = typeof cost === 'object' && cost && 'total' in cost ? Number(cost.total) : 0
      if (total > 0) this.#parts.limits.addCost(identity, total)
    }
    if (finishReason !== 'tool-calls') return
    this.rejoiner.keep(identity, messages, new Set(tools.map(({ name }) => name)))
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

/** Work with what was stored for it. */
interface PreparedWork extends NewWork {
  /** The caller's own layer of the config. */
  readonly own: ConfigLayer
}

interface Opening {
  readonly work: PreparedWork
  readonly signal: AbortSignal
  readonly endRun: () => void
  readonly resume?: Resumption
}

/** How a run was asked for. */
export function orderOf({ facts }: StoredRun): RunOrder {
  return facts as unknown as RunOrder
}

/** What encoders are told of a run. */
export function factsOf(stored: StoredRun): RunFacts {
  const { messageId, model, createdAt, tools } = orderOf(stored)
  return {
    runId: stored.id,
    ...(stored.conversationId === undefined ? {} : { conversationId: stored.conversationId }),
    messageId,
    model,
    createdAt,
    clientTools: new Set(tools.map(({ name }) => name)),
  }
}

function busy(conversationId: string | undefined): HostError {
  return new HostError(
    'CONVERSATION_BUSY',
    `A run is active in the conversation "${conversationId}"; wait for its end, or stop it.`,
  )
}
