import { type Conversation, conversationKey } from '@braidwork/agent'
import {
  type AskModel,
  type Compacted,
  type CompactionPolicy,
  type CompactionSection,
  compactConversation,
  compactionPolicyOf,
  OWN_COMPACTION,
  SERVER_STOPPING,
  summaryModelOf,
  textOnly,
  tokensIn,
} from '@braidwork/agent/internal'
import { mergeLayers, type Result } from '@braidwork/core'
import { stackLayers } from '@braidwork/core/internal'
import { HostError, type Message, type ModelInfo, type Usage } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { PublishedAgent } from '../catalog.ts'
import { callerOf, type Identity } from '../identity.ts'
import { ownStorage } from '../own-storage.ts'
import { settingsFor } from '../settings/index.ts'
import { type Estimate, type MeteredLeg, stepOf } from '../spending/index.ts'
import { inOurWords } from '../tell.ts'
import { ActiveCompactions } from './active-compactions.ts'
import { CompactionClaims } from './compaction-claims.ts'
import type { ModelWork } from './model-work.ts'
import { recorded } from './recorded-compaction.ts'
import type { DoneRun, RunWorkParts } from './run-parts.ts'
import type { RunService } from './run-service.ts'

type Needed =
  | ('host' | 'storage' | 'environment' | 'catalog')
  | ('quotas' | 'log' | 'uses' | 'telemetry')

export interface CompactionsParts extends Pick<RunWorkParts, Needed> {
  readonly runs: Pick<RunService, 'ended' | 'work'>
}

/** A conversation to compact. */
interface Task {
  readonly identity: Identity
  readonly conversation: Pick<Conversation, 'id' | 'agent' | 'createdAt'>
  readonly trigger: 'manual' | 'threshold'
}

/** Compacts conversations: those that somebody asks for, and those whose agent has a threshold. CT-20, AW-43 */
export class Compactions {
  readonly #parts: CompactionsParts
  readonly #active: ActiveCompactions
  readonly #claims: CompactionClaims
  readonly #closing: AbortController

  /** @param earlier the compactions of a server before its options changed. They go on. */
  constructor(parts: CompactionsParts, earlier?: Compactions) {
    this.#parts = parts
    this.#active = earlier ? earlier.#active : new ActiveCompactions()
    this.#claims = earlier ? earlier.#claims : new CompactionClaims(parts)
    this.#closing = earlier ? earlier.#closing : new AbortController()
  }

  /**
   * Compacts a conversation. A run that is active in it goes on as it began; the next request is shown the summary.
   * @throws {HostError} COMPACTION_BUSY, COMPACTION_NEEDLESS, COMPACTION_FAILED, MODEL_UNPUBLISHED, TOO_MANY_REQUESTS,
   * STORAGE_QUOTA_EXCEEDED, STORAGE_FAILED, and the errors of the model
   */
  async compact(
    identity: Identity,
    conversation: Task['conversation'],
    signal?: AbortSignal,
  ): Promise<Compacted> {
    const task = { identity, conversation, trigger: 'manual' } as const
    const agent = await this.#parts.catalog.find(identity, conversation.agent)
    return this.#alone(task, (cancelled) => this.#compact(task, agent, [signal, cancelled]))
  }

  /** Cancels the compaction of a conversation that is to be deleted, and waits for its end. */
  cancel({ owner, id }: Pick<Conversation, 'owner' | 'id'>): Promise<void> {
    const message = `The conversation "${id}" was deleted while it was being compacted.`
    const reason = new HostError('CONVERSATION_UNKNOWN', message)
    return this.#active.cancel(conversationKey(owner, id), reason)
  }

  /** Compacts the conversation of a run in the background, if its agent says so. A failure is logged. */
  afterRun(done: DoneRun): void {
    const { conversationId, id: runId } = done.run
    if (conversationId === undefined) return
    this.#afterRun(done, conversationId).catch((error: unknown) => {
      const { message, code, ...facts } = inOurWords(toHostError(error))
      // Too little to replace, or another compaction, is no failure.
      if (code === 'COMPACTION_NEEDLESS' || code === 'COMPACTION_BUSY') return
      const text = `A conversation was not compacted: ${message}`
      this.#parts.log({ level: 'warn', message: text, code, ...facts, runId })
    })
  }

  async #afterRun({ run, identity, order, usage }: DoneRun, id: string): Promise<void> {
    const agent = await this.#parts.catalog.find(identity, order.agent)
    if (agent.plan.agent?.context_policy?.autocompact_threshold === undefined) return
    const { isAutomatic, threshold = 0 } = await this.#policyOf(agent)
    if (!isAutomatic || tokensOf(usage) < threshold) return
    if (await this.#isLeftToApi(agent)) return
    await this.#parts.runs.ended(run, this.#closing.signal)
    const stored = await this.#parts.storage.conversations.load(identity.id, id)
    if (!stored) return
    const conversation = { ...stored, agent: order.agent }
    const task = {
      identity: { ...identity, ...order.counted },
      conversation,
      trigger: 'threshold',
    } as const
    await this.#alone(task, (cancelled) => this.#compact(task, agent, [cancelled]))
  }

  /** Whether the model API compacts by itself, as the config asks it to. */
  async #isLeftToApi({ plan }: PublishedAgent): Promise<boolean> {
    return (await this.#parts.host.resolve(plan.config)).tags.includes(OWN_COMPACTION)
  }

  /** Stops what is going on, and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort(SERVER_STOPPING)
    await this.#active.settled()
  }

  /** One at a time for each conversation, on all servers of the storage. */
  async #alone<T>(
    { identity, conversation }: Task,
    act: (cancelled: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const leave = this.#parts.uses.enter()
    try {
      const key = conversationKey(identity.id, conversation.id)
      const claim = JSON.stringify(['compaction', key, conversation.createdAt])
      return await this.#active.begin(key, (cancelled) =>
        this.#claims.claimed(claim, () => act(cancelled)),
      )
    } finally {
      leave()
    }
  }

  async #compact(task: Task, agent: PublishedAgent, signals: Asked['signals']): Promise<Compacted> {
    const { storage, environment, quotas } = this.#parts
    const { identity, conversation, trigger } = task
    await quotas.assertRoom(identity)
    const place = { environment, owner: identity.id, conversationId: conversation.id, trigger }
    const policy = await this.#policyOf(agent)
    return recorded({ ...this.#parts, ...place }, (started) =>
      compactConversation({
        ...place,
        createdAt: conversation.createdAt,
        storage,
        policy,
        ask: async (config, message) => {
          await started()
          return this.#ask(identity, agent, {
            config,
            message,
            signals,
            conversationId: conversation.id,
          })
        },
      }),
    )
  }

  async #policyOf({ plan }: PublishedAgent): Promise<CompactionPolicy> {
    const { context_policy: limits, sections } = plan.agent ?? {}
    const section = sections?.['compaction'] as CompactionSection | undefined
    const facts = await this.#factsOf(plan.config)
    const taken = tokensIn(plan.prompt)
    const summary = await summaryModelOf(this.#parts.host, plan.config, section)
    const room = { ...facts, ...plan.modelInfo, taken, ...(summary && { summary }) }
    return compactionPolicyOf(section, limits, room)
  }

  #factsOf(config: PublishedAgent['plan']['config']) {
    return this.#parts.host.modelInfo(config).catch((): ModelInfo => ({}))
  }

  /** Asks the agent's model for a summary, with the agent's prompt in front. It counts as a request of the identity. */
  async #ask(
    identity: Identity,
    { name, plan }: PublishedAgent,
    { config, message, signals, conversationId }: Asked,
  ): ReturnType<AskModel> {
    const { host, quotas, storage } = this.#parts
    const own = ownStorage(host, identity, quotas, callerOf(identity))
    const settings = await settingsFor(storage, { owner: identity.id, conversationId })
    const layer = textOnly(host, stackLayers(plan.config, settings), config)
    const messages: readonly Message[] = [...plan.prompt, message]
    const { modelWork } = this.#parts.runs.work
    await modelWork.meter.refresh(identity)
    const order = { agent: name, tools: [], settings: {} }
    const estimate = await modelWork.meter.estimate({
      identity,
      plan: { ...plan, config: layer },
      order,
      messages,
    })
    const task = {
      identity,
      name,
      mayUse: estimate.mayUse,
      signals: [...signals, this.#closing.signal],
    }
    return modelWork.during(task, async (leg, until) => {
      const result = await own.send(layer, messages, { signal: until })
      await this.#count(modelWork, { leg, estimate, result, config: layer, messages })
      return result
    })
  }

  async #count({ meter }: ModelWork, { leg, estimate, config, ...answer }: Counted): Promise<void> {
    const whole = mergeLayers(this.#parts.host.config, config)
    const model = { info: await this.#factsOf(config), config: whole }
    meter.count(leg, estimate, stepOf({ estimate }, { ...answer, model, seconds: 0 }))
  }
}

interface Asked {
  readonly config: Parameters<AskModel>[0]
  readonly message: Message
  readonly signals: readonly (AbortSignal | undefined)[]
  readonly conversationId: string
}

interface Counted {
  readonly leg: MeteredLeg
  readonly estimate: Estimate
  readonly config: Asked['config']
  readonly messages: readonly Message[]
  readonly result: Result
}

/** The tokens of a request and its answer, as far as the API counted them: the next request repeats both. */
function tokensOf({ input = 0, output = 0 }: Usage): number {
  return input + output
}
