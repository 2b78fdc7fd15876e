import type { Host } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import type { RunStream } from '../loop.ts'
import { type AgentSpec, checkAgentSpec, checkModelSpec, type ModelSpec } from '../specs/index.ts'
import { type AgentPlan, type AgentRunOptions, planAgent, runPlan } from './agent-plan.ts'
import { AGENTS, MODELS, Registry } from './registry.ts'
import { type Registries, resolveAgent } from './resolve-agent.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/** What a runtime is made of. */
export interface RuntimeOptions {
  readonly host: Host
  readonly agents?: readonly AgentSpec[]
  readonly models?: readonly ModelSpec[]
  /** Says why no agent is offered a tool, whatever its catalog. By default the catalogs alone decide. */
  readonly reasonAgainst?: ResolvedAgent['reasonAgainst']
}

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
  reasonAgainst,
}: RuntimeOptions): Promise<AgentRuntime> {
  const runtime = new AgentRuntime(host, reasonAgainst)
  for (const model of models) await runtime.addModel(model)
  for (const agent of agents) await runtime.addAgent(agent)
  return runtime
}

/** Agents and models as data, and the runs of these agents on a host. */
export class AgentRuntime {
  readonly #registries: Registries

  /** Use {@link createRuntime}. */
  constructor(host: Host, reasonAgainst?: ResolvedAgent['reasonAgainst']) {
    const registries = { host, agents: new Registry<AgentSpec>(AGENTS) }
    const models = new Registry<ModelSpec>(MODELS)
    this.#registries = { ...registries, models, ...(reasonAgainst ? { reasonAgainst } : {}) }
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

  /** Adds an agent. The next run sees it. AW-55 @throws {HostError} SPEC_INVALID */
  async addAgent(spec: AgentSpec): Promise<void> {
    this.#registries.agents.add(structuredClone(await checkAgentSpec(spec, nameOf(AGENTS, spec))))
  }

  /** Adds a model. The next run sees it. AW-55 @throws {HostError} SPEC_INVALID */
  async addModel(spec: ModelSpec): Promise<void> {
    this.#registries.models.add(structuredClone(await checkModelSpec(spec, nameOf(MODELS, spec))))
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
   * Plans the next run of an agent, for a caller that changes the plan or uses another host of the same plugins.
   * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND
   * @internal
   */
  plan(id: string): AgentPlan {
    return planAgent(this.#registries, id)
  }

  /**
   * Looks up an agent and runs it, as `run` does: its system prompt comes before the messages. The run resolves
   * plugins and tools when it opens the config; what is wrong with them is its ending.
   * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND
   */
  async run(id: string, options: AgentRunOptions): Promise<RunStream> {
    return runPlan(this.host, this.plan(id), options)
  }
}

function nameOf({ noun }: { readonly noun: string }, { id }: { readonly id?: unknown }): string {
  return typeof id === 'string' ? `The ${noun} "${id.slice(0, 100)}"` : `The spec of the ${noun}`
}

function byId({ id: left }: AgentSpec, { id: right }: AgentSpec): number {
  return left < right ? -1 : left > right ? 1 : 0
}
