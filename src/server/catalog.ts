import type { AgentPlan } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { ServerAgents } from './agents/index.ts'
import { type Identity, modelsOf } from './identity.ts'
import { unpublishedTools } from './options/index.ts'
import { withoutTools } from './plain-model.ts'
import type { PublishedModel } from './published.ts'
import type { ListedModel, WireRequest } from './wire/index.ts'

/** An agent that a server publishes, with the plan of its next run. A published model is an agent without more. */
export interface PublishedAgent extends PublishedModel {
  readonly plan: AgentPlan
}

/** The sources of agents. Of two agents with one name, that of the earlier source counts. */
export interface CatalogParts extends Pick<ServerAgents, 'declared' | 'stored'> {
  readonly models: readonly PublishedModel[]
}

/** Finds the agents of a server by name, among those that an identity may use. */
export class Catalog {
  readonly #parts: CatalogParts

  constructor(parts: CatalogParts) {
    this.#parts = parts
  }

  /**
   * The agents that an identity may use, those of the storage last.
   * @throws {HostError} STORAGE_FAILED
   */
  async listFor(identity: Identity): Promise<readonly ListedModel[]> {
    const known = this.#fixed()
    const names = new Set(known.map(({ name }) => name))
    const stored = (await this.#parts.stored.listed()).filter(({ name }) => !names.has(name))
    return [...known, ...stored].filter(({ name }) => mayUse(identity, name))
  }

  /**
   * Adapts a request to its agent: a plain model gets no tools.
   * @param pointer where the protocol names the agent
   * @throws {HostError} the errors of {@link find}
   */
  async requestFor<R extends WireRequest>(
    identity: Identity,
    request: R,
    pointer: string,
  ): Promise<R> {
    const { isPlain } = await this.find(identity, request.agent, pointer)
    return isPlain ? withoutTools(request) : request
  }

  /**
   * Returns the agent with a name, or the first one of the config if no name is given. The agent is looked up anew, so
   * that the next run sees what has changed.
   * @throws {HostError} MODEL_UNPUBLISHED; STORAGE_FAILED; MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND and
   * SPEC_INVALID of an agent that is broken
   */
  async find(
    identity: Identity,
    given: string | undefined,
    pointer = '/agent',
  ): Promise<PublishedAgent> {
    const name = given ?? this.#fixed().find((one) => mayUse(identity, one.name))?.name
    const found = name !== undefined && mayUse(identity, name) && (await this.#named(name))
    if (found) return found
    const names = (await this.listFor(identity)).map((one) => one.name).join(', ')
    throw new HostError(
      'MODEL_UNPUBLISHED',
      `The server does not publish a model "${String(given).slice(0, 100)}"; it publishes ${names || 'none'}.`,
      { pointer },
    )
  }

  /** Checks that the agent is published whose tools clients of MCP may call. @throws {HostError} OPTION_INVALID, STORAGE_FAILED */
  async assertHasToolsOf(name: string): Promise<void> {
    const names = (await this.listFor(EVERYBODY)).map((one) => one.name)
    if (names.includes(name)) return
    throw new HostError('OPTION_INVALID', unpublishedTools(name, names), { pointer: '/mcpTools' })
  }

  async #named(name: string): Promise<PublishedAgent | undefined> {
    const { models, declared, stored } = this.#parts
    const model = models.find((one) => one.name === name)
    if (model) return { ...model, plan: { config: model.config, prompt: [] } }
    const plan = (await declared.plan(name)) ?? (await stored.plan(name))
    return plan && { name, config: plan.config, plan }
  }

  /** What the config publishes, whatever the storage has. */
  #fixed(): readonly ListedModel[] {
    const { models, declared } = this.#parts
    return [...models, ...declared.listed]
  }
}

/** Somebody who may use all agents. */
const EVERYBODY: Identity = { id: '', role: 'user' }

function mayUse(identity: Identity, name: string): boolean {
  return modelsOf(identity)?.includes(name) ?? true
}
