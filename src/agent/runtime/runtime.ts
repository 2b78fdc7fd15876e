import type { Host } from '@braidwork/core'
import { HostError, isObject, type Message, toMessages } from '@braidwork/plugin'
import { type RunStream, run } from '../loop.ts'
import type { RunOptions } from '../run-options.ts'
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
import type { Registries } from './registries.ts'
import { AGENTS, MODELS, POOLS, Registry } from './registry.ts'
import { resolveAgent } from './resolve-agent.ts'
import type { ResolvedAgent } from './resolved-agent.ts'
import { withholding } from './trials.ts'

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly host: Host
  readonly agents?: readonly AgentSpec[]
  /** Models, and pools of them. */
  readonly models?: readonly (ModelSpec | ModelPool)[]
}

/** The options of an agent's run: those that its spec does not decide. */
export type AgentRunOptions = Omit<
  RunOptions,
  'config' | 'withholds' | 'modelInfo' | 'retry' | 'routing'
>

/** An agent that cannot run, and why. */
export interface AgentFault {
  readonly agent: string
  readonly error: HostError
}

/**
 * Makes a runtime for agents that are declared as data.
 * @throws {HostError} SPEC_INVALID
 */
export async function createRuntime({
  host,
  agents = [],
  models = [],
}: RuntimeOptions): Promise<AgentRuntime> {
  const runtime = new AgentRuntime(host)
  for (const model of models) await runtime.addModel(model)
  for (const agent of agents) await runtime.addAgent(agent)
  return runtime
}

/** Agents and models as data, and the runs of these agents on a host. */
export class AgentRuntime {
  readonly #registries: Registries

  /** Use {@link createRuntime}. */
  constructor(host: Host) {
    this.#registries = {
      host,
      agents: new Registry(AGENTS),
      models: new Registry(MODELS),
      pools: new Registry(POOLS),
    }
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

  /** Resolves an agent as its next run would. @throws {HostError} as `resolveAgent` says */
  resolve(id: string): Promise<ResolvedAgent> {
    return resolveAgent(this.#registries, id)
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
   * Resolves an agent and runs it, as `run` does: its system prompt comes before the messages.
   * @throws {HostError} as `resolve`, before the run begins
   */
  async run(id: string, options: AgentRunOptions): Promise<RunStream> {
    const { host } = this.#registries
    const { spec, routing, reasonAgainst, retry } = await this.resolve(id)
    return run(host, {
      ...options,
      routing,
      messages: [...promptOf(spec), ...toMessages(options.messages)],
      withholds: withholding(reasonAgainst),
      ...(retry ? { retry } : {}),
    })
  }
}

function promptOf({ system_prompt: text }: AgentSpec): readonly Message[] {
  return text === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
}

function nameOf({ noun }: { readonly noun: string }, { id }: { readonly id?: unknown }): string {
  return typeof id === 'string' ? `The ${noun} "${id.slice(0, 100)}"` : `The spec of the ${noun}`
}

function byId({ id: left }: AgentSpec, { id: right }: AgentSpec): number {
  return left < right ? -1 : left > right ? 1 : 0
}
