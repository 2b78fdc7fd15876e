import { CircuitBreakers, type RunResult, type RunStream, type StoredRun } from '@braidwork/agent'
import { orderedPlan, planWith, runPlan } from '@braidwork/agent/internal'
import type { ConfigLayer } from '@braidwork/core'
import { checkedCaller, linkSignals, stackLayers, turnFor } from '@braidwork/core/internal'
import { HostError, type Message, toMessages } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import { withoutAsking } from './ask-policy.ts'
import type { Counted, Embedding } from './embedding.ts'
import { callerOf, type Identity } from './identity.ts'
import { once } from './once.ts'
import { ownResults } from './own-results.ts'
import { ownStorage } from './own-storage.ts'
import { type AskedRequest, decide, instructed } from './per-request.ts'
import { withoutHostTools, withTools } from './plain-model.ts'
import { Rejoiner } from './rejoin.ts'
import { RunMeasures } from './run-measures.ts'
import type { RunOrder } from './run-order.ts'
import {
  keyOf,
  type NewWork,
  type Opening,
  type PreparedWork,
  type RunWorkParts,
} from './run-parts.ts'
import { Meter, type MeteredLeg } from './spending/index.ts'
import { SteeredRuns } from './steered-runs.ts'
import { tell } from './tell.ts'
import { withUploads } from './uploads.ts'
import { hostCallIds } from './wire/responses/index.ts'

/** Creates the host's runs from requests, and counts their costs. */
export class RunWork {
  readonly #parts: RunWorkParts
  readonly #meter: Meter
  readonly rejoiner: Rejoiner
  readonly steered: SteeredRuns
  readonly #breakers: CircuitBreakers

  /** @param earlier the work of a server before its options changed */
  constructor(parts: RunWorkParts, earlier?: RunWork) {
    this.#parts = parts
    this.#meter = new Meter(parts, earlier ? earlier.#meter : undefined)
    this.#breakers = earlier ? earlier.#breakers : new CircuitBreakers()
    this.steered = earlier?.steered ?? new SteeredRuns()
    this.rejoiner = earlier?.rejoiner ?? new Rejoiner(() => parts.environment.elapsed())
  }

  /**
   * Completes the order of a new run: who asks, and what the server's functions decide about the request.
   * @throws {HostError} OPTION_INVALID if the caller's data cannot be stored, and the errors of `decide`
   */
  async decided({ identity, order, conversationId, headers }: NewWork): Promise<RunOrder> {
    const { protocol, agent } = order
    const request = { protocol, agent, headers, ...(conversationId ? { conversationId } : {}) }
    const { caller, decided } = await this.#decide(identity, request)
    return { ...order, caller, decided, ...countedOf(identity) }
  }

  async #decide(identity: Identity, request: AskedRequest) {
    const caller = checkedCaller(callerOf(identity))
    return { caller, decided: await decide(this.#parts.perRequest ?? {}, caller, request) }
  }

  /**
   * Looks up the agent, and adds the bytes of uploaded files, the caller's own settings, and a cost estimate.
   * @throws {HostError} MESSAGES_INVALID, and the errors of `Catalog.find`
   */
  async prepare(work: Omit<NewWork, 'headers'>): Promise<PreparedWork> {
    const { files, settings } = this.#parts.storage
    const { identity, order, messages, conversationId } = work
    await turnFor(messages, order.tools)
    const own = order.asks ? await settings.load(identity.id) : undefined
    const { plan: planned, isToolless } = await this.#planFor(identity, order, own ?? {})
    const whole = await withUploads(messages, identity, {
      files,
      most: this.#parts.attachments,
    })
    const payer = { ...identity, ...order.counted }
    await this.#meter.refresh(payer)
    const ordered = await orderedPlan(planned, {
      messages: instructed(whole, order.decided ?? {}),
      sender: identity.id,
      ...keyOf({ owner: identity.id, conversationId }),
    })
    const asked = toMessages(ordered.messages)
    const plan = withTools(ordered.plan, isToolless, order.tools)
    const run = { identity: payer, plan, order, messages: [...plan.prompt, ...asked] }
    const estimate = await this.#meter.estimate(run)
    return { ...work, messages: asked, plan, isToolless, estimate }
  }

  /**
   * Makes embeddings for an identity. They count as an active run, and as costs.
   * @throws {HostError} TOO_MANY_REQUESTS; UNAUTHORIZED if the caller's token ends meanwhile; the errors of `host.embed`
   */
  async embed(identity: Identity, { model, headers, ...asked }: Embedding): Promise<Counted> {
    const { host, quotas, metrics } = this.#parts
    const { inputs, options } = asked
    const request = { protocol: 'embeddings', agent: model.name, headers } as const
    const { caller, decided } = await this.#decide(identity, request)
    const config = stackLayers(model.config, decided.config ?? {})
    await this.#meter.refresh(identity)
    const { name } = model
    const mayUse = await this.#meter.estimateEmbeddings(identity, { name, config }, inputs)
    const leg = await this.#meter.begin(identity, name, mayUse)
    const ended = new HostError('UNAUTHORIZED', 'The token has ended.')
    const cancel = new AbortController()
    const release = this.#parts.tokens.hold(identity, () => cancel.abort(ended))
    const unlink = linkSignals([options.signal], cancel)
    const measured = metrics.beginEmbeddings({ model: name, identity: identity.id })
    try {
      const own = ownStorage(host, identity, quotas, caller)
      const made = await own.embed(config, inputs, { ...options, signal: cancel.signal })
      const { vectors, modelInfo, tokens = mayUse.tokens } = made
      measured.end(tokens, this.#meter.countEmbeddings(leg, modelInfo, tokens))
      return { vectors, tokens }
    } catch (error) {
      measured.fail(toHostError(error).code)
      throw cancel.signal.reason === ended ? ended : error
    } finally {
      release()
      unlink()
      leg.end()
    }
  }

  /**
   * Begins a leg of a run. It counts as a run of its owner until it is ended, and is stopped when the caller's token
   * ends.
   * @throws {HostError} TOO_MANY_REQUESTS, STORAGE_FAILED
   */
  async begin(
    { identity, order, estimate }: PreparedWork,
    stop: () => Promise<unknown>,
  ): Promise<MeteredLeg> {
    const payer = { ...identity, ...order.counted }
    const leg = await this.#meter.begin(payer, order.agent, estimate.mayUse)
    const release = this.#parts.tokens.hold(identity, () => void stop())
    const leave = this.#parts.uses.enter()
    const end = once(() => {
      release()
      leave()
      leg.end()
    })
    return { add: leg.add, end }
  }

  /** Resolves when all counted costs are stored. */
  settled(): Promise<void> {
    return this.#meter.settled()
  }

  open(stored: StoredRun, { work, leg, metered, resume }: Opening): RunStream {
    const { identity, order, messages, plan, estimate } = work
    const { conversationId } = stored
    const { host, environment } = this.#parts
    // Without a store, the model is not offered the tool that reads large results.
    const keepsResults = work.isStored && !work.isToolless
    const results = keepsResults ? ownResults(this.#parts, identity, conversationId) : undefined
    const about = { runId: stored.id, identity: identity.id, model: order.agent }
    const measures = new RunMeasures(this.#parts, about)
    // The stored caller counts: a run that was approved or taken over has no request to identify one by.
    const own = ownStorage(host, identity, this.#parts.quotas, order.caller)
    const stream = runPlan(own, plan, {
      messages,
      tools: order.tools.map((tool) => ({ ...tool, replaces: true })),
      signal: leg.signal,
      ...(work.isStored ? { committed: measures.committed(leg.committed), late: leg.late } : {}),
      recordChild: leg.recordChild,
      ...(results ? { results } : {}),
      runId: stored.id,
      canAsk: order.asks,
      steering: this.steered.begin(stored.id, leg.committed),
      environment,
      canReset: order.canReset ?? true,
      breakers: this.#breakers,
      onAnswer: (answer) => {
        measures.addAnswer(answer)
        this.#meter.count(metered, estimate, answer)
      },
      ...keyOf(stored),
      ...(resume ? { resume } : {}),
    })
    this.#logContent('asked', stored, messages)
    void stream.result.then((result) => {
      this.steered.end(stored.id)
      metered.end()
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

  /** Plans a leg of a run. What the agent decides holds in every protocol; a request only sets what it may. */
  async #planFor(
    identity: Identity,
    order: RunOrder,
    settingsOf: ConfigLayer,
  ): Promise<Pick<PreparedWork, 'plan' | 'isToolless'>> {
    const { agent, settings, asks, protocol, decided = {} } = order
    const { host, catalog, askAllowedOn } = this.#parts
    const { plan, isPlain = false, host_tools } = await catalog.find(identity, agent)
    const asked = askAllowedOn.includes(protocol) ? 'allow' : 'deny'
    const isToolless =
      isPlain || [host_tools, identity.host_tools, order.hostTools].includes('none')
    const layered = (requested: ConfigLayer) => (config: ConfigLayer) => {
      const policy = asks ? {} : withoutAsking(host, config, asked)
      const whole = stackLayers(config, settingsOf, decided.config ?? {}, requested, policy)
      return isToolless ? withoutHostTools(host, whole) : whole
    }
    // What a request sets, such as the format of the answer, is for the agent that it asks, and not for its delegates.
    return { plan: planWith(plan, layered(settings), layered({})), isToolless }
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

/** What a run counts towards, if it is more than the identity itself. */
function countedOf({ token, limits, models }: Identity): Pick<RunOrder, 'counted'> {
  const isPerModel = models !== undefined && !Array.isArray(models)
  if (!limits && !isPerModel) return {}
  return {
    counted: {
      ...(token === undefined ? {} : { token }),
      ...(limits ? { limits } : {}),
      ...(isPerModel ? { models } : {}),
    },
  }
}
