import {
  conversationKey,
  type Environment,
  type Interruption,
  type Resumption,
  type RunOptions,
  type RunResult,
  type RunStream,
  run,
  type Storage,
  type StoredRun,
} from '@braidwork/agent'
import type { NewEntry, RunLeg } from '@braidwork/agent/internal'
import type { ConfigLayer, Host } from '@braidwork/core'
import { checkedCaller, stackLayers, turnFor } from '@braidwork/core/internal'
import type { Log, Message } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { withoutAsking } from './ask-policy.ts'
import type { Counted, Embedding } from './embedding.ts'
import type { RepeatKey } from './headers.ts'
import { callerOf, type Identity } from './identity.ts'
import type { Limits } from './limits.ts'
import type { Metrics } from './metrics.ts'
import { ownResults } from './own-results.ts'
import { ownStorage } from './own-storage.ts'
import { type AskedRequest, decide, instructed, type PerRequest } from './per-request.ts'
import { withoutHostTools } from './plain-model.ts'
import type { Catalog } from './published.ts'
import type { Quotas } from './quotas.ts'
import { Rejoiner } from './rejoin.ts'
import { RunMeasures } from './run-measures.ts'
import type { RunOrder } from './run-order.ts'
import { type Estimate, Meter } from './spending/index.ts'
import { tell } from './tell.ts'
import { withUploads } from './uploads.ts'
import { hostCallIds } from './wire/responses/index.ts'

/** The services that a run needs. */
export interface RunWorkParts {
  readonly perRequest?: PerRequest
  readonly host: Host
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
  readonly limits: Limits
  readonly quotas: Quotas
  /** The total size of uploaded files that the messages of one run may refer to, in bytes. */
  readonly attachments: number
  readonly catalog: Catalog
  /**
   * The protocols that cannot ask for approvals, but on which tools with the policy `ask` may still run. On other
   * protocols without approvals, those tools are denied.
   */
  readonly askAllowedOn: readonly string[]
  readonly metrics: Metrics
  /** Whether to log the contents of requests and responses. */
  readonly logsContent?: boolean
}

/** The description of a run to start. */
export interface NewWork extends RepeatKey {
  readonly identity: Identity
  readonly order: RunOrder
  /** All messages for the model. */
  readonly messages: readonly Message[]
  readonly conversationId?: string
  readonly append?: { readonly entries: readonly NewEntry[]; readonly parent?: string | null }
  /** Stop the run after this many milliseconds without a reader. By default it is never stopped for this. */
  readonly abandonAfter?: number
  /** The headers of the request. */
  readonly headers: Headers
  /** Whether the events are stored. The events of an unstored run are deleted after the response. */
  readonly isStored: boolean
}

/** Work whose messages contain the bytes of their files, with its config and cost estimate. */
export interface PreparedWork extends Omit<NewWork, 'headers'> {
  readonly config: ConfigLayer
  readonly estimate: Estimate
}

/** The input of {@link RunWork.open}. */
export interface Opening {
  readonly work: PreparedWork
  readonly leg: RunLeg
  /** Called when the run's leg has ended. */
  readonly endRun: () => void
  readonly resume?: Resumption | Interruption
}

/** Creates the host's runs from requests, and counts their costs. */
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
   * Completes the order of a new run: who asks, and what the server's functions decide about the request.
   * @throws {HostError} OPTION_INVALID if the caller's data cannot be stored, and the errors of `decide`
   */
  async decided({ identity, order, conversationId, headers }: NewWork): Promise<RunOrder> {
    const { protocol, agent } = order
    const request = { protocol, agent, headers, ...(conversationId ? { conversationId } : {}) }
    const { caller, decided } = await this.#decide(identity, request)
    return { ...order, caller, decided }
  }

  async #decide(identity: Identity, request: AskedRequest) {
    const caller = checkedCaller(callerOf(identity))
    return { caller, decided: await decide(this.#parts.perRequest ?? {}, caller, request) }
  }

  /**
   * Adds the bytes of uploaded files, the caller's own settings, and a cost estimate.
   * @throws {HostError} MODEL_UNPUBLISHED, MESSAGES_INVALID
   */
  async prepare(work: Omit<NewWork, 'headers'>): Promise<PreparedWork> {
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
    const asked = instructed(whole, order.decided ?? {})
    const estimate = await this.#meter.estimate({ config, order, messages: asked })
    return { ...work, messages: asked, config, estimate }
  }

  /**
   * Makes embeddings for an identity. They count as an active run, and as costs.
   * @throws {HostError} TOO_MANY_REQUESTS, and the errors of `host.embed`
   */
  async embed(identity: Identity, { model, headers, ...asked }: Embedding): Promise<Counted> {
    const { host, quotas, limits, metrics } = this.#parts
    const { inputs, options } = asked
    const request = { protocol: 'embeddings', agent: model.name, headers } as const
    const { caller, decided } = await this.#decide(identity, request)
    const config = stackLayers(model.config, decided.config ?? {})
    await this.#meter.refresh(identity)
    const estimate = await this.#meter.estimateEmbeddings(config, inputs)
    const end = limits.beginRun(identity, estimate.mayCost)
    const measured = metrics.beginEmbeddings({ model: model.name, identity: identity.id })
    try {
      const own = ownStorage(host, identity, quotas, caller)
      const made = await own.embed(config, inputs, options)
      const { vectors, modelInfo, tokens = estimate.tokens } = made
      measured.end(tokens, this.#meter.countEmbeddings(identity, modelInfo, tokens))
      return { vectors, tokens }
    } catch (error) {
      measured.fail(toHostError(error).code)
      throw error
    } finally {
      end()
    }
  }

  /** Resolves when all counted costs are stored. */
  settled(): Promise<void> {
    return this.#meter.settled()
  }

  open(stored: StoredRun, { work, leg, endRun, resume }: Opening): RunStream {
    const { identity, order, messages, config, estimate } = work
    const { conversationId } = stored
    const { host, environment } = this.#parts
    const results = work.isStored ? ownResults(this.#parts, identity, conversationId) : undefined
    const about = { runId: stored.id, identity: identity.id, model: order.agent }
    const measures = new RunMeasures(this.#parts, about)
    // The stored caller counts: a run that was approved or taken over has no request to identify one by.
    const stream = run(ownStorage(host, identity, this.#parts.quotas, order.caller), {
      config,
      messages,
      tools: order.tools.map((tool) => ({ ...tool, replaces: true })),
      signal: leg.signal,
      ...(work.isStored ? { committed: measures.committed(leg.committed), late: leg.late } : {}),
      ...(results ? { results } : {}),
      runId: stored.id,
      environment,
      onAnswer: (answer) => {
        measures.addAnswer(answer)
        this.#meter.count(identity, estimate, answer)
      },
      ...keyOf(stored),
      ...(resume ? { resume } : {}),
    })
    this.#logContent('asked', stored, messages)
    void stream.result.then((result) => {
      endRun()
      measures.end(result)
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
    const { agent, settings, asks, protocol, decided = {} } = order
    const { host, catalog, askAllowedOn } = this.#parts
    const { config, isPlain, host_tools } = catalog.find(identity, agent)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const policy = asks ? {} : withoutAsking(host, config, asked)
    const whole = stackLayers(config, own, decided.config ?? {}, settings, policy)
    const isNone = [host_tools, identity.host_tools, order.hostTools].includes('none')
    return isPlain || isNone ? withoutHostTools(host, whole) : whole
  }

  #logContent(message: string, { id: runId }: StoredRun, messages: readonly Message[]): void {
    const { log, host, logsContent } = this.#parts
    if (!logsContent) return
    log(host.maskTexts({ level: 'info', message, runId, messages }))
  }

  #keepHidden(
    identity: Identity,
    { tools, protocol }: RunOrder,
    { messages, finishReason, runId }: RunResult,
  ): void {
    if (finishReason !== 'tool-calls') return
    const clientTools = new Set(tools.map(({ name }) => name))
    const facts = { runId, clientTools }
    const shown = protocol === 'responses' ? hostCallIds(messages, facts) : undefined
    this.rejoiner.keep(identity, messages, clientTools, shown)
  }
}

function keyOf({ owner, conversationId }: StoredRun): Pick<RunOptions, 'conversationId'> {
  if (conversationId === undefined) return {}
  return { conversationId: conversationKey(owner, conversationId) }
}
