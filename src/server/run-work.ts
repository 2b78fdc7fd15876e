import {
  conversationKey,
  type Environment,
  type Resumption,
  type RunResult,
  type RunStream,
  run,
  type Storage,
  type StoredRun,
} from '@braidwork/agent'
import type { NewEntry } from '@braidwork/agent/internal'
import type { ConfigLayer, Host } from '@braidwork/core'
import { stackLayers, turnFor } from '@braidwork/core/internal'
import type { Log, Message } from '@braidwork/plugin'
import type { RepeatKey } from './headers.ts'
import type { Identity } from './identity.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import { ownStorage } from './own-storage.ts'
import { toolless } from './plain-model.ts'
import type { Catalogue } from './published.ts'
import type { Quotas } from './quotas.ts'
import { Rejoiner } from './rejoin.ts'
import type { RunOrder } from './run-order.ts'
import { type Estimate, Meter } from './spending/index.ts'
import { tell } from './tell.ts'
import { toRefusals } from './tool-policy.ts'
import { withUploads } from './uploads.ts'

/** What runs of a server are made of. */
export interface RunWorkParts {
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly limits: Limits
  readonly quotas: Quotas
  /** Bytes of uploaded files that the messages of a run may have. */
  readonly attachments: number
  readonly catalogue: Catalogue
  /** Protocols without a word for approvals on which tools whose policy is `ask` are run all the same. */
  readonly askAllowedOn: readonly string[]
  readonly metrics: Metrics
  /** Whether the log has what was asked and answered. */
  readonly logsContent?: boolean
}

/** A run to be begun. */
export interface NewWork extends RepeatKey {
  readonly identity: Identity
  readonly order: RunOrder
  /** All that the model is shown. */
  readonly messages: readonly Message[]
  readonly conversationId?: string
  readonly append?: { readonly entries: readonly NewEntry[]; readonly parent?: string | null }
  /** Milliseconds without a reader after which it is stopped; never where it is not said. */
  readonly abandonAfter?: number
  /** Whether its events outlive the process; what is not stored is gone when it was answered. */
  readonly isStored: boolean
}

/** Work with the bytes of its files, and with its config. */
export interface PreparedWork extends NewWork {
  readonly config: ConfigLayer
  readonly estimate: Estimate
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
  readonly #meter: Meter
  readonly rejoiner: Rejoiner

  constructor(parts: RunWorkParts) {
    this.#parts = parts
    this.#meter = new Meter(parts)
    this.rejoiner = new Rejoiner(() => parts.environment.elapsed())
  }

  /**
   * With the files that were uploaded, and what the caller has set for himself.
   * @throws {HostError} MODEL_UNPUBLISHED, MESSAGES_INVALID
   */
  async prepare(work: NewWork): Promise<PreparedWork> {
    const { files, settings } = this.#parts.storage
    const { identity, order, messages } = work
    await turnFor(messages, order.tools)
    const own = order.asks ? await settings.load(identity.id) : undefined
    const config = this.#configFor(identity, order, own ?? {})
    const whole = await withUploads(messages, identity, {
      files,
      most: this.#parts.attachments,
    })
    await this.#meter.refresh(identity)
    const estimate = await this.#meter.estimate({ config, order, messages: whole })
    return { ...work, messages: whole, config, estimate }
  }

  /** When what was counted is stored. */
  settled(): Promise<void> {
    return this.#meter.settled()
  }

  open(stored: StoredRun, { work, signal, endRun, resume }: Opening): RunStream {
    const { identity, order, messages, config, estimate } = work
    const { conversationId } = stored
    const { host, environment } = this.#parts
    this.#parts.metrics.countRun()
    const stream = run(ownStorage(host, identity, this.#parts.quotas), {
      config,
      messages,
      tools: order.tools,
      signal,
      runId: stored.id,
      environment,
      onAnswer: (answer) => this.#meter.count(identity, estimate, answer),
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
      this.#keepHidden(identity, order, result)
    })
    return stream
  }

  #configFor(identity: Identity, order: RunOrder, own: ConfigLayer): ConfigLayer {
    const { model, settings, asks, protocol } = order
    const { host, catalogue, askAllowedOn } = this.#parts
    const { config, isPlain } = catalogue.find(identity, model)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const policy = asks ? {} : toRefusals(host, config, asked)
    const whole = stackLayers(config, own, settings, policy)
    return isPlain ? stackLayers(whole, toolless(host, whole)) : whole
  }

  #logContent(message: string, { id: runId }: StoredRun, messages: readonly Message[]): void {
    const { log, host, logsContent } = this.#parts
    if (!logsContent) return
    log(host.maskTexts({ level: 'info', message, runId, messages }))
  }

  #keepHidden(
    identity: Identity,
    { tools }: RunOrder,
    { messages, finishReason }: RunResult,
  ): void {
    if (finishReason !== 'tool-calls') return
    this.rejoiner.keep(identity, messages, new Set(tools.map(({ name }) => name)))
  }
}
