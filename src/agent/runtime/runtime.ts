import type { Host } from '@braidwork/core'
import { HostError, isObject } from '@braidwork/plugin'
import type { CompactedMessages } from '../compaction/index.ts'
import {
  completeEnvironment,
  type SubscribeOptions,
  type Subscription,
} from '../environment-hooks/index.ts'
import type { RunStream } from '../run-result.ts'
import {
  type AgentSpec,
  checkAgentSpec,
  checkModelPool,
  checkModelSpec,
  isPool,
  type ModelPool,
  type ModelSpec,
  pooledModels,
} from '../specs/index.ts'
import { type AgentPlan, type PlannedAgent, planAgent } from './agent-plan.ts'
import { assertGiven, refusedPlan } from './assert-run-options.ts'
import { type CompactOptions, compactFor, compactOptions } from './compact.ts'
import { findAgent } from './found-agents.ts'
import type { RegisteredPool, Registries } from './registries.ts'
import { AGENTS, MODELS, nameOf, POOLS, Registry } from './registry.ts'
import {
  discovered,
  isRemote,
  notRunnableHere,
  type RemoteSource,
  type RemoteSpec,
} from './remote-agents.ts'
import { resolveAgent } from './resolve-agent.ts'
import type { ResolvedAgent } from './resolved-agent.ts'
import { orderedPlan, runPlan, untilAborted } from './run-plan.ts'
import { warnedBy } from './run-warnings.ts'
import type { AgentFault, AgentRunOptions, RuntimeOptions } from './runtime-options.ts'
import type { RuntimeTool } from './runtime-tools.ts'
import { observed, type Surroundings, surrounded, surroundingsOf, within } from './surroundings.ts'

type Around = 'environment' | 'hooks' | 'reasonAgainst' | 'backends'

interface Surrounded extends Pick<RuntimeOptions, Around> {
  /** Those of another runtime of the same program. */
  readonly surroundings?: Surroundings
  readonly onClose?: () => Promise<void>
}

/** Agents and models as data, and the runs of these agents on a host. */
export class AgentRuntime {
  readonly #registries: Registries
  /** What the program gave to the runs of its agents. @internal */
  readonly surroundings: Surroundings
  readonly #ownsSurroundings: boolean
  readonly #onClose: (() => Promise<void>) | undefined

  /** Use {@link createRuntime} or {@link runtimeBuilder}. */
  constructor(host: Host, { onClose, reasonAgainst, surroundings, ...own }: Surrounded = {}) {
    this.surroundings = surroundings ?? surroundingsOf(host, own)
    this.#ownsSurroundings = surroundings === undefined
    const { hooks, backends } = this.surroundings
    this.#onClose = onClose
    this.#registries = {
      host,
      hooks,
      agents: new Registry<AgentSpec>(AGENTS),
      models: new Registry<ModelSpec>(MODELS),
      pools: new Registry<RegisteredPool>(POOLS),
      backends,
      ...(reasonAgainst ? { reasonAgainst } : {}),
    }
  }

  /** The host on which the agents run. */
  get host(): Host {
    return this.#registries.host
  }

  /** The specs of the agents, in the order in which they were added. */
  get agents(): readonly AgentSpec[] {
    return this.#registries.agents.all
  }

  /** The specs of the models, in the order in which they were added. */
  get models(): readonly ModelSpec[] {
    return this.#registries.models.all
  }

  /** The pools of models, in the order in which they were added. */
  get pools(): readonly ModelPool[] {
    return this.#registries.pools.all
  }

  /** Adds an agent. The next run sees it. AW-55 @throws {HostError} SPEC_INVALID */
  async addAgent(spec: AgentSpec): Promise<void> {
    this.#registries.agents.add(await checkAgentSpec(spec, nameOf(AGENTS, spec)))
  }

  /** Adds a model, or a pool of models. The next run sees it. AW-55 @throws {HostError} SPEC_INVALID */
  async addModel(spec: ModelSpec | ModelPool): Promise<void> {
    const { models } = this.#registries
    if (isObject(spec) && isPool(spec)) return this.#addPool(spec)
    models.add(await checkModelSpec(spec, nameOf(MODELS, spec)))
  }

  async #addPool(spec: ModelPool): Promise<void> {
    const { models, pools } = this.#registries
    const pool = structuredClone(await checkModelPool(spec, nameOf(POOLS, spec)))
    const own = new Map(pooledModels(pool))
    const candidates = pool.candidates.map((candidate, place) =>
      typeof candidate === 'string' ? candidate : (own.get(place)?.id ?? ''),
    )
    for (const model of own.values()) models.add(model)
    pools.add({ ...pool, candidates })
  }

  /**
   * Offers a tool to all agents, as far as their catalogs allow. The next run sees it. AW-55
   * @throws {HostError} TOOL_ID_CONFLICT, OPTION_INVALID
   */
  addTool(tool: RuntimeTool): void {
    this.surroundings.tools.add(tool)
  }

  /**
   * Resolves an agent as its next run would.
   * @throws {HostError} as `resolveAgent` says; REMOTE_AGENT_NOT_DIRECTLY_RUNNABLE for an agent with an endpoint
   */
  async resolve(id: string): Promise<ResolvedAgent> {
    const { spec } = findAgent(this.#registries.agents, id)
    if (isRemote(spec)) throw notRunnableHere(id)
    return resolveAgent(await this.#registriesFor(id), id)
  }

  /**
   * Asks a source which agent it has, and adds it as `source/name`. AW-54
   * @throws {HostError} UNSUPPORTED_REMOTE_BACKEND, INVALID_REMOTE_ENDPOINT_CONFIG, REMOTE_AGENT_FAILED, SPEC_INVALID
   * @internal
   */
  async discover(source: string, remote: RemoteSource, signal?: AbortSignal): Promise<void> {
    const { agents, backends } = this.#registries
    agents.add(await discovered(backends, { source, remote, signal }))
  }

  /** The registries, with the agent as hooks build it. */
  async #registriesFor(id: string): Promise<Registries> {
    const { agents } = this.#registries
    const spec = agents.get(id)
    const { hooks } = within(this.surroundings, spec.config)
    const built = await hooks.built(spec)
    if (built === spec) return { ...this.#registries, hooks }
    const checked = await checkAgentSpec(built, `${nameOf(AGENTS, spec)}, as a hook built it,`)
    return { ...this.#registries, hooks, agents: agents.with(checked) }
  }

  /** Tries every agent; of one that runs elsewhere, its endpoint. Returns those that cannot run, by id. AW-52 */
  async check(): Promise<readonly AgentFault[]> {
    const faults: AgentFault[] = []
    for (const spec of this.agents.toSorted(byId)) {
      const { id } = spec
      try {
        await (spec.endpoint ? this.plan(id) : this.resolve(id))
      } catch (error) {
        if (!HostError.is(error)) throw error
        faults.push({ agent: id, error })
      }
    }
    return faults
  }

  /**
   * Plans the next run of an agent, for a caller that changes the plan or uses another host of the same plugins.
   * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND
   * @internal
   */
  async plan(id: string): Promise<PlannedAgent> {
    const { spec, warnings } = findAgent(this.#registries.agents, id)
    if (isRemote(spec)) return this.#remotePlan(spec, warnings)
    const planned = await planAgent(await this.#registriesFor(id), id, (one) => this.plan(one))
    const { agent, config } = planned
    const around = within(this.surroundings, config)
    const surround: NonNullable<AgentPlan['surround']> = (plan, order) =>
      surrounded({ ...plan, agent }, order, around)
    return { ...planned, surround }
  }

  #remotePlan(spec: RemoteSpec, warnings: readonly string[]): PlannedAgent {
    return {
      config: {},
      prompt: [],
      agent: spec,
      remote: this.#registries.backends.remote(spec, warnings),
      surround: async (plan, order) => observed({ ...plan, agent: spec }, order, this.surroundings),
    }
  }

  /**
   * Looks up an agent and runs it, as `run` does: its system prompt comes before the messages. The run resolves
   * plugins and tools when it opens the config; what is wrong with them, or with an option, is its ending.
   * @throws {HostError} as `resolveAgent` says; HOOK_FAILED of hooks; OPTION_INVALID without options
   */
  async run(id: string, given: AgentRunOptions): Promise<RunStream> {
    assertGiven(given)
    const { sender, ...options } = given
    const environment = completeEnvironment(this.surroundings.environment)
    const planned = await this.plan(id)
    const refused = refusedPlan(planned, { environment, ...given })
    if (refused) return refused
    const { messages, conversationId } = options
    const ordering = orderedPlan(planned, { messages, conversationId, sender })
    const ordered = await untilAborted(ordering, options.signal)
    const own = { environment, ...options, ...warnedBy(planned, options) }
    return runPlan(this.host, ordered.plan, { ...own, messages: ordered.messages })
  }

  /**
   * Has an agent's model summarize the older messages. Give `messages` of the result to the next run instead. CT-20
   * @throws {HostError} COMPACTION_NEEDLESS if none can be replaced; COMPACTION_FAILED; OPTION_INVALID; the errors of
   * `run` and of the model; REMOTE_AGENT_NOT_DIRECTLY_RUNNABLE for an agent with an endpoint
   */
  async compact(id: string, options: CompactOptions): Promise<CompactedMessages> {
    const order = compactOptions(options)
    const planned = await this.plan(id)
    if (planned.remote) throw notRunnableHere(id)
    return compactFor(this.host, planned, order)
  }

  /**
   * The events of all conversations from now on. A subscriber that falls behind delays nobody: events are dropped for
   * it, and it is told how many. It ends with the runtime and with the host. CT-30
   * @throws {HostError} OPTION_INVALID
   */
  subscribeEvents(options?: SubscribeOptions): Subscription {
    return this.surroundings.feed.subscribe(options)
  }

  /** Ends the subscriptions to events, and closes the host, if the builder made it for this runtime. */
  async close(): Promise<void> {
    if (this.#ownsSurroundings) this.surroundings.feed.close()
    await this.#onClose?.()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function byId({ id: left }: AgentSpec, { id: right }: AgentSpec): number {
  return left < right ? -1 : left > right ? 1 : 0
}
