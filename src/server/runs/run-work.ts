import { CircuitBreakers, type RunResult, type RunStream, type StoredRun } from '@braidwork/agent'
import { dryRunPlan, orderedPlan, type RunDryRun, runPlan } from '@braidwork/agent/internal'
import { stackLayers, turnFor } from '@braidwork/core/internal'
import { toMessages, type Usage } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { Identity } from '../identity.ts'
import { once } from '../once.ts'
import { ownStorage, withoutWrites } from '../own-storage.ts'
import { instructed } from '../per-request.ts'
import { withTools } from '../plain-model.ts'
import { clientToolsOf, countedOf, type RunOrder } from '../run-order.ts'
import { noteWarnings } from '../run-warnings.ts'
import { Meter, type MeteredLeg, stepOf } from '../spending/index.ts'
import { tell } from '../tell.ts'
import { hostCallIds } from '../wire/responses/index.ts'
import { logContent } from './content-log.ts'
import type { Counted, Embedding } from './embedding.ts'
import { ModelWork } from './model-work.ts'
import { ownResults } from './own-results.ts'
import { Rejoiner } from './rejoin.ts'
import { isElsewhere, RunMeasures } from './run-measures.ts'
import {
  keyOf,
  type NewWork,
  type Opening,
  type PreparedWork,
  type RunWorkParts,
} from './run-parts.ts'
import { RunPlans } from './run-plans.ts'
import { SteeredRuns } from './steered-runs.ts'
import { withUploads } from './uploads.ts'

/** Creates the host's runs from requests, and counts their costs. */
export class RunWork {
  readonly #parts: RunWorkParts
  readonly #meter: Meter
  readonly plans: RunPlans
  readonly rejoiner: Rejoiner
  readonly steered: SteeredRuns
  /** Work with models that is no run. */
  readonly modelWork: ModelWork
  readonly #breakers: CircuitBreakers

  /** @param earlier the work of a server before its options changed */
  constructor(parts: RunWorkParts, earlier?: RunWork) {
    this.#parts = parts
    this.plans = new RunPlans(parts)
    this.#meter = new Meter(parts, earlier ? earlier.#meter : undefined)
    this.modelWork = new ModelWork({ meter: this.#meter, tokens: parts.tokens })
    this.#breakers = earlier ? earlier.#breakers : new CircuitBreakers()
    this.steered = earlier?.steered ?? new SteeredRuns()
    this.rejoiner = earlier?.rejoiner ?? new Rejoiner(() => parts.environment.elapsed())
  }

  /**
   * Completes the order of a new run: who asks, and what the server's functions decide about the request.
   * @throws {HostError} the errors of `RunPlans.decide`
   */
  async decided({ identity, order, conversationId, headers }: NewWork): Promise<RunOrder> {
    const { protocol, agent } = order
    const request = { protocol, agent, headers, ...(conversationId ? { conversationId } : {}) }
    const { caller, decided } = await this.plans.decide(identity, request)
    return { ...order, caller, decided, ...countedOf(identity) }
  }

  /**
   * Looks up the agent, and adds the bytes of uploaded files, the caller's own settings, and a cost estimate.
   * @throws {HostError} MESSAGES_INVALID, and the errors of `Catalog.find`
   */
  async prepare(work: Omit<NewWork, 'headers'>): Promise<PreparedWork> {
    const { files } = this.#parts.storage
    const { identity, order, messages, conversationId } = work
    await turnFor(messages, order.tools)
    const { plan: planned, isToolless } = await this.plans.planFor(identity, order, conversationId)
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
    const asked = order.call ? [] : toMessages(ordered.messages)
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
    const { caller, decided } = await this.plans.decide(identity, request)
    const config = stackLayers(model.config, decided.config ?? {})
    await this.#meter.refresh(identity)
    const { name } = model
    const mayUse = await this.#meter.estimateEmbeddings(identity, { name, config }, inputs)
    const measured = metrics.beginEmbeddings({ model: name, identity: identity.id })
    const own = ownStorage(host, identity, quotas, caller)
    const task = { identity, name, mayUse, signals: [options.signal] }
    try {
      return await this.modelWork.during(task, async (leg, signal) => {
        const made = await own.embed(config, inputs, { ...options, signal })
        const { vectors, modelInfo, tokens = mayUse.tokens } = made
        measured.end(tokens, this.#meter.countEmbeddings(leg, modelInfo, tokens))
        return { vectors, tokens }
      })
    } catch (error) {
      measured.fail(toHostError(error).code)
      throw error
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

  /**
   * Builds the request that a run of this work would send first. It asks no model, runs no tool and stores nothing.
   * @throws {HostError} OPERATION_UNSUPPORTED, MESSAGES_INVALID, HOOK_FAILED, and the errors of {@link prepare}
   */
  async dryRun(given: Omit<NewWork, 'headers'>, signal: AbortSignal): Promise<RunDryRun> {
    const work = await this.prepare(given)
    const { identity, order, plan, conversationId } = work
    const own = ownStorage(this.#parts.host, identity, this.#parts.quotas, order.caller)
    const about = { owner: identity.id, conversationId }
    return dryRunPlan(withoutWrites(own), plan, { ...this.#optionsFor(work, about), signal })
  }

  open(stored: StoredRun, { work, leg, metered, resume }: Opening): RunStream {
    const { identity, order, messages, plan, estimate } = work
    const about = { runId: stored.id, identity: identity.id, model: order.agent }
    const measures = new RunMeasures(this.#parts, about)
    // The stored caller counts: a run that was approved or taken over has no request to identify one by.
    const own = ownStorage(this.#parts.host, identity, this.#parts.quotas, order.caller)
    let last: Usage = {}
    const stream = runPlan(own, plan, {
      ...this.#optionsFor(work, stored),
      signal: leg.signal,
      ...(work.isStored ? { committed: measures.committed(leg.committed), late: leg.late } : {}),
      childLog: leg.childLog,
      shared: leg.shared,
      runId: stored.id,
      steering: this.steered.begin(stored.id, leg.committed),
      onAnswer: (answer) => {
        last = answer.result.usage
        const step = stepOf(work, answer)
        measures.addAnswer(answer, step)
        this.#meter.count(metered, estimate, step)
      },
      ...(resume ? { resume } : { startWait: work.startWait }),
      ...(order.call ? { call: order.call } : {}),
    })
    logContent(this.#parts, 'asked', stored, messages)
    noteWarnings(
      stored,
      stream.result.then(() => measures.warnings),
    )
    void stream.result.then((result) => {
      this.steered.end(stored.id)
      metered.end()
      const tellRun = measures.end(result)
      void leg.settled.then(() => tellRun(leg.fault()))
      this.#tellEnd(stored, work, result)
      // The process that has taken a run over tells of all of it.
      if (!isElsewhere(leg.fault())) this.#parts.onLegEnd?.(stored)
      if (result.status !== 'done') return
      this.#parts.onRunDone?.({ run: stored, identity, order, usage: last })
    })
    return stream
  }

  /** The options of a run that its work decides. */
  #optionsFor(work: PreparedWork, { owner, conversationId }: Parameters<typeof keyOf>[0]) {
    const { order, messages, identity, isStored, isToolless } = work
    // Without a store, the model is not offered the tool that reads large results.
    const hasResults = isStored && !isToolless
    const { place } = order
    const takenCallIds = place === undefined ? [] : this.rejoiner.callIdsAt(identity, place)
    const results = hasResults ? ownResults(this.#parts, identity, conversationId) : undefined
    return {
      messages,
      tools: order.tools.map((tool) => ({ ...tool, replaces: true })),
      takenCallIds,
      ...(results ? { results } : {}),
      canAsk: order.asks,
      environment: this.#parts.environment,
      canReset: order.canReset ?? true,
      breakers: this.#breakers,
      ...keyOf({ owner, conversationId }),
    }
  }

  #tellEnd(stored: StoredRun, { identity, order, plan }: PreparedWork, result: RunResult): void {
    if (result.status === 'failed') {
      const { log, host, logsContent = false } = this.#parts
      const { agent, schemaPlace } = order
      const about = { runId: stored.id, agent, schemaPlace, logsContent }
      tell(log, result.error, { ...about, configs: [host.config, plan.agent?.config] })
    }
    logContent(this.#parts, 'answered', stored, result.messages)
    this.#keepHidden(identity, order, result)
  }

  #keepHidden(
    identity: Identity,
    order: RunOrder,
    { messages, finishReason, runId }: RunResult,
  ): void {
    const { agent, place, holdsText = false } = order
    if (finishReason !== 'tool-calls' || place === undefined) return
    const clientTools = clientToolsOf(order)
    const facts = { runId, clientTools, holdsText }
    const shownIds =
      order.protocol === 'responses' ? { shownIds: hostCallIds(messages, facts) } : {}
    this.rejoiner.keep(identity, { place, agent, messages, clientTools, holdsText, ...shownIds })
  }
}
