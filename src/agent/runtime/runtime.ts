import type { Host } from '@braidwork/core'
import { HostError, isObject } from '@braidwork/plugin'
import {
  type AgentEnvironment,
  completeEnvironment,
  type EnvironmentHook,
  EnvironmentHooks,
  EventFeed,
  type SubscribeOptions,
  type Subscription,
} from '../environment-hooks/index.ts'
import type { RunStream } from '../loop.ts'
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
import {
  type AgentPlan,
  orderedPlan,
  type PlannedAgent,
  type PlanOptions,
  planAgent,
  runPlan,
} from './agent-plan.ts'
import type { RegisteredPool, Registries } from './registries.ts'
import { AGENTS, MODELS, POOLS, Registry } from './registry.ts'
import { resolveAgent } from './resolve-agent.ts'
import type { ResolvedAgent } from './resolved-agent.ts'
import { type RuntimeTool, RuntimeTools } from './runtime-tools.ts'
import { type Surroundings, surrounded } from './surroundings.ts'

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly host: Host
  readonly agents?: readonly AgentSpec[]
  /** Models, and pools of them. */
  readonly models?: readonly (ModelSpec | ModelPool)[]
  /** Says why no agent is offered a tool, whatever its catalog. By default the catalogs alone decide. */
  readonly reasonAgainst?: ResolvedAgent['reasonAgainst']
  /** The default is the system's clock, timers and ids, and no working directory. */
  readonly environment?: AgentEnvironment
  /** What the program offers to its agents, in the order of registration. */
  readonly hooks?: readonly EnvironmentHook[]
}

/** The options of an agent's run: those that its spec does not decide. */
export interface AgentRunOptions extends PlanOptions {
  /** Who writes to the agent. The calls of environment hooks carry it. CT-07 */
  readonly sender?: string
}

/** An agent that cannot run, and why. */
export interface AgentFault {
  readonly agent: string
  readonly error: HostError
}

interface Surrounded extends Pick<RuntimeOptions, 'environment' | 'hooks' | 'reasonAgainst'> {
  readonly onClose?: () => Promise<void>
}

/** Agents and models as data, and the runs of these agents on a host. */
export class AgentRuntime {
  readonly #registries: Registries
  readonly #surroundings: Surroundings

  readonly #tools = new RuntimeTools()
  readonly #onClose: (() => Promise<void>) | undefined

  /** Use {@link createRuntime} or {@link runtimeBuilder}. */
  constructor(host: Host, surrounded: Surrounded = {}) {
    const { environment = {}, hooks: own = [], onClose, reasonAgainst } = surrounded
    const hooks = new EnvironmentHooks([this.#tools, ...own])
    this.#onClose = onClose
    this.#registries = {
      host,
      hooks,
      agents: new Registry<AgentSpec>(AGENTS),
      models: new Registry<ModelSpec>(MODELS),
      pools: new Registry<RegisteredPool>(POOLS),
      ...(reasonAgainst ? { reasonAgainst } : {}),
    }
    this.#surroundings = { hooks, environment, feed: new EventFeed() }
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
    this.#registries.agents.add(structuredClone(await checkAgentSpec(spec, nameOf(AGENTS, spec))))
  }

  /** Adds a model, or a pool of models. The next run sees it. AW-55 @throws {HostError} SPEC_INVALID */
  async addModel(spec: ModelSpec | ModelPool): Promise<void> {
    const { models } = this.#registries
    if (isObject(spec) && isPool(spec)) return this.#addPool(spec)
    models.add(structuredClone(await checkModelSpec(spec, nameOf(MODELS, spec))))
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
    this.#tools.add(tool)
  }

  /** Resolves an agent as its next run would. @throws {HostError} as `resolveAgent` says */
  async resolve(id: string): Promise<ResolvedAgent> {
    return resolveAgent(await this.#registriesFor(id), id)
  }

  /** The registries, with the agent as hooks build it. */
  async #registriesFor(id: string): Promise<Registries> {
    const { agents, hooks } = this.#registries
    const spec = agents.get(id)
    const built = await hooks.built(spec)
    if (built === spec) return this.#registries
    const checked = await checkAgentSpec(built, `${nameOf(AGENTS, spec)}, as a hook built it,`)
    return { ...this.#registries, agents: agents.with(checked) }
  }

  /** Resolves every agent on trial. Returns those that cannot run, sorted by id. AW-52 */
  async check(): Promise<readonly AgentFault[]> {
    const faults: AgentFault[] = []
    for (const { id } of this.agents.toSorted(byId)) {
      try {
        await this.resolve(id)
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
    const planned = await planAgent(await this.#registriesFor(id), id)
    const { agent } = planned
    const surround: NonNullable<AgentPlan['surround']> = (plan, order) =>
      surrounded({ ...plan, agent }, order, this.#surroundings)
    return { ...planned, surround }
  }

  /**
   * Looks up an agent and runs it, as `run` does: its system prompt comes before the messages. The run resolves
   * plugins and tools when it opens the config; what is wrong with them is its ending.
   * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND, and HOOK_FAILED of hooks
   */
  async run(id: string, { sender, ...options }: AgentRunOptions): Promise<RunStream> {
    const { messages, conversationId } = options
    const planned = await this.plan(id)
    const ordered = await orderedPlan(planned, { messages, conversationId, sender })
    const environment = completeEnvironment(this.#surroundings.environment)
    return runPlan(this.host, ordered.plan, { environment, ...options, messages: ordered.messages })
  }

  /**
   * The events of all conversations from now on. A subscriber that falls behind delays nobody: events are dropped for
   * it, and it is told how many. CT-30
   */
  subscribeEvents(options?: SubscribeOptions): Subscription {
    return this.#surroundings.feed.subscribe(options)
  }

  /** Closes the host, if the builder made it for this runtime. */
  async close(): Promise<void> {
    await this.#onClose?.()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

function nameOf({ noun }: { readonly noun: string }, { id }: { readonly id?: unknown }): string {
  return typeof id === 'string' ? `The ${noun} "${id.slice(0, 100)}"` : `The spec of the ${noun}`
}

function byId({ id: left }: AgentSpec, { id: right }: AgentSpec): number {
  return left < right ? -1 : left > right ? 1 : 0
}
