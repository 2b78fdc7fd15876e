import { type Environment, type Resumption, type RunResult, run } from '../agent/index.ts'
import type { RunStream } from '../agent/loop.ts'
import {
  conversationKey,
  type NewEntry,
  type Storage,
  type StoredRun,
} from '../agent/storage/index.ts'
import type { Message } from '../events/index.ts'
import { maskedLog } from '../host/core.ts'
import { coreOf } from '../host/host.ts'
import type { Host } from '../host/index.ts'
import type { Log } from '../plugin/internal.ts'
import { type ConfigLayer, mergeLayers } from '../schema/layers.ts'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import { ownHost } from './own-host.ts'
import type { Catalogue } from './published.ts'
import type { RunOrder } from './run-order.ts'
import { tell } from './tell.ts'
import { toRefusals } from './tool-policy.ts'
import { Rejoiner } from './turns/rejoin.ts'
import { withUploads } from './uploads.ts'

/** What runs of a server are made of. */
export interface RunWorkParts {
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly limits: Limits
  readonly catalogue: Catalogue
  /** Protocols without a word for approvals on which tools whose policy is `ask` are run all the same. */
  readonly askAllowedOn: readonly string[]
  readonly metrics: Metrics
  /** Whether the log has what was asked and answered. */
  readonly logsContent?: boolean
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

/** Work with the bytes of its files, and with its config. */
export interface PreparedWork extends NewWork {
  readonly config: ConfigLayer
}

/** How prepared work is opened. */
export interface Opening {
  readonly work: PreparedWork
  readonly signal: AbortSignal
  /** Called when the run's leg is over. */
  readonly endRun: () => void
  readonly resume?: Resumption
}

/** Makes a run of the host out of what was asked for, and counts what came of it. */
export class RunWork {
  readonly #parts: RunWorkParts
  readonly rejoiner: Rejoiner

  constructor(parts: RunWorkParts) {
    this.#parts = parts
    this.rejoiner = new Rejoiner(() => parts.environment.now())
  }

  /**
   * With the files that were uploaded, and what the caller has set for himself.
   * @throws {HostError} MODEL_UNPUBLISHED, MESSAGES_INVALID
   */
  async prepare(work: NewWork): Promise<PreparedWork> {
    const { files, settings } = this.#parts.storage
    const { identity, order, messages } = work
    const own = order.asks ? await settings.load(identity.id) : undefined
    const config = this.#configFor(identity, order, own ?? {})
    return { ...work, messages: await withUploads(messages, identity, files), config }
  }

  open(stored: StoredRun, { work, signal, endRun, resume }: Opening): RunStream {
    const { identity, order, messages, config } = work
    const { conversationId } = stored
    const { host, environment } = this.#parts
    this.#parts.metrics.countRun()
    const stream = run(conversationId === undefined ? ownHost(host, identity) : host, {
      config,
      messages,
      tools: order.tools,
      signal,
      runId: stored.id,
      environment,
      ...(conversationId === undefined
        ? {}
        : { conversationId: conversationKey(stored.owner, conversationId) }),
      ...(resume ? { resume } : {}),
    })
    this.#logContent('asked', stored, messages)
    void stream.result.then((result) => {
      endRun()
      if (result.status === 'failed') {
        const { log, logsContent = false } = this.#parts
        tell(log, result.error, { runId: stored.id, logsContent })
      }
      this.#logContent('answered', stored, result.messages)
      this.#account(identity, order, result)
    })
    return stream
  }

  #configFor(identity: Identity, order: RunOrder, own: ConfigLayer): ConfigLayer {
    const { model, settings, asks, protocol } = order
    const { host, catalogue, askAllowedOn } = this.#parts
    const { config } = catalogue.find(identity, model)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const policy = asks ? {} : toRefusals(host, config, asked)
    return mergeLayers(config, own, settings, policy)
  }

  #logContent(message: string, { id: runId }: StoredRun, messages: readonly Message[]): void {
    const { log, host, logsContent } = this.#parts
    if (!logsContent) return
    const core = coreOf(host)
    maskedLog({ ...core, log }, core.config)({ level: 'info', message, runId, messages })
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
}
