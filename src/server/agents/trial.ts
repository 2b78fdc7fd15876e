import { isDeepStrictEqual } from 'node:util'
import type { AgentSpec, ModelSpec, ResolvedAgent } from '@braidwork/agent'
import type { Host } from '@braidwork/core'
import { HostError } from '@braidwork/plugin'
import type { DeclaredAgents } from './declared-agents.ts'
import type { StoredSpecs } from './stored-specs.ts'

export interface TrialParts {
  readonly host: Host
  readonly declared: DeclaredAgents
  readonly stored: StoredSpecs
  /** The names of the published models, which no agent may have. */
  readonly models: ReadonlySet<string>
}

/** An agent that would run. */
export interface TriedAgent {
  readonly spec: AgentSpec
  readonly resolved: ResolvedAgent
}

/** Tries specs before they are stored. AW-56 */
export class Trial {
  readonly #parts: TrialParts

  constructor(parts: TrialParts) {
    this.#parts = parts
  }

  /**
   * Resolves an agent as its next run would. `spec` of the answer is what is to be stored: hooks build an agent anew for
   * each run.
   * @throws {HostError} SPEC_INVALID, and the errors of a resolution
   */
  async agent(id: string, spec: object): Promise<TriedAgent> {
    this.#assertFree(id)
    return this.#resolved(id, spec)
  }

  /**
   * Checks a model, and resolves the stored agents that refer to it.
   * @throws {HostError} SPEC_INVALID, PROVIDER_NOT_FOUND, and the errors of a resolution
   */
  async model(id: string, value: object): Promise<ModelSpec> {
    const { stored } = this.#parts
    const spec = await stored.checkModel(id, value)
    for (const agent of await stored.usersOf(id)) await this.#resolved(agent.id, agent.spec, spec)
    return spec
  }

  async #resolved(id: string, value: object, model?: ModelSpec): Promise<TriedAgent> {
    const runtime = await this.#parts.stored.runtimeOf(id, value, model)
    const resolved = await runtime.resolve(id)
    const spec = runtime.agents.find((one) => one.id === id) ?? resolved.spec
    this.#assertNoSecret(spec)
    return { spec, resolved }
  }

  /** @throws {HostError} SPEC_INVALID */
  #assertFree(id: string): void {
    const { declared, models } = this.#parts
    if (!declared.has(id) && !models.has(id)) return
    const message = `The config of the server has an agent or a model "${id}". Use another id.`
    throw new HostError('SPEC_INVALID', message, { pointer: '/id' })
  }

  /** Plugins say which of their settings are secret once they are loaded. @throws {HostError} SPEC_INVALID */
  #assertNoSecret({ id, config: { settings } = {} }: AgentSpec): void {
    if (!settings) return
    const { settings: masked } = this.#parts.host.masked({ settings })
    if (isDeepStrictEqual(masked, settings)) return
    const message = `The agent "${id}" has secret settings. A stored agent may have none.`
    throw new HostError('SPEC_INVALID', message, { pointer: '/config/settings' })
  }
}
