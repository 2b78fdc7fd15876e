import {
  type AgentRuntime,
  type AgentSpec,
  type Environment,
  type ModelPool,
  type ModelSpec,
  runtimeBuilder,
  type Storage,
} from '@braidwork/agent'
import {
  type AgentPlan,
  checkModelSpec,
  SPEC_ID,
  type StoredAgent,
  type StoredDocument,
  throwFaults,
} from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { ListedModel } from '../wire/index.ts'
import { askedAgents, namesIn, planAsking } from './asked-agents.ts'
import type { DeclaredAgents } from './declared-agents.ts'
import type { StorableRules } from './storable.ts'

/** The owner of the stored specs in the storage. They belong to the server and not to one of its admins. */
export const SPECS_OWNER = 'braidwork:server'
const ID = new RegExp(SPEC_ID)
const MODEL = 'model' as const

export interface StoredSpecsParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly declared: DeclaredAgents
  readonly rules: StorableRules
}

/** The agents and models that admins stored. Each look reads the storage, so that all its servers see the same. */
export class StoredSpecs {
  readonly #parts: StoredSpecsParts

  constructor(parts: StoredSpecsParts) {
    this.#parts = parts
  }

  /** Sorted by name. */
  agents(): Promise<readonly StoredAgent[]> {
    return this.#parts.storage.agents.list(SPECS_OWNER)
  }

  async listed(): Promise<readonly ListedModel[]> {
    return (await this.agents()).map(({ id, name, spec: { description } }) => ({
      name: id,
      ...(name === id ? {} : { title: name }),
      ...(typeof description === 'string' ? { description } : {}),
    }))
  }

  async agent(id: string): Promise<StoredAgent | undefined> {
    return isSpecId(id) ? this.#parts.storage.agents.load(SPECS_OWNER, id) : undefined
  }

  /** Plans the next run of an agent. Undefined if there is none. @throws {HostError} as {@link runtimeOf} and `plan` */
  async plan(id: string): Promise<AgentPlan | undefined> {
    const stored = await this.agent(id)
    if (!stored) return undefined
    const runtime = await this.runtimeOf(id, stored.spec)
    return planAsking(await runtime.plan(id), (asked) => this.#planAsked(asked, id))
  }

  /** Plans an agent that another one asks. @throws {HostError} AGENT_NOT_FOUND, and as `plan` */
  async #planAsked(id: string, asker: string): Promise<AgentPlan> {
    const plan = (await this.#parts.declared.plan(id)) ?? (await this.plan(id))
    if (plan) return plan
    const message = `There is no agent "${id}" any more. The agent "${asker}" refers to it.`
    throw new HostError('AGENT_NOT_FOUND', message)
  }

  /**
   * Stores the spec of an agent. Its name stays as it is.
   * @param expected judges the agent that is stored at that time
   * @throws {HostError} AGENT_NAME_TAKEN, SPEC_CHANGED, STORAGE_FAILED
   */
  async saveAgent(spec: AgentSpec, expected: Expected<StoredAgent>): Promise<StoredAgent> {
    const { storage, environment } = this.#parts
    const { id } = spec
    const { name = id } = (await this.agent(id)) ?? {}
    const agent = {
      id,
      owner: SPECS_OWNER,
      name,
      updatedAt: environment.now(),
      spec: spec as unknown as StoredAgent['spec'],
    }
    await storage.agents.upsert(agent, checkOf(`agent "${id}"`, expected))
    return agent
  }

  /** @throws {HostError} AGENT_UNKNOWN, AGENT_NAME_TAKEN, SPEC_CHANGED */
  renameAgent(id: string, name: string, expected: Expected<StoredAgent>): Promise<void> {
    const { storage, environment } = this.#parts
    const to = { name, updatedAt: environment.now() }
    return storage.agents.rename(SPECS_OWNER, id, to, checkOf(`agent "${id}"`, expected))
  }

  /** Returns whether there was one. @throws {HostError} SPEC_CHANGED */
  async deleteAgent(id: string, expected: Expected<StoredAgent>): Promise<boolean> {
    if (!isSpecId(id)) return false
    const check = checkOf(`agent "${id}"`, expected)
    return this.#parts.storage.agents.delete(SPECS_OWNER, id, check)
  }

  /** Sorted by id. */
  models(): Promise<readonly StoredDocument[]> {
    return this.#parts.storage.documents.list(SPECS_OWNER, MODEL)
  }

  async model(id: string): Promise<StoredDocument | undefined> {
    return isSpecId(id) ? this.#parts.storage.documents.load(SPECS_OWNER, MODEL, id) : undefined
  }

  /** @throws {HostError} SPEC_CHANGED, STORAGE_FAILED */
  async saveModel(spec: ModelSpec, expected: Expected<StoredDocument>): Promise<StoredDocument> {
    const { storage, environment } = this.#parts
    const document = {
      kind: MODEL,
      owner: SPECS_OWNER,
      name: spec.id,
      content: spec,
      updatedAt: environment.now(),
    } as const
    await storage.documents.save(document, checkOf(`model "${spec.id}"`, expected))
    return document
  }

  /** Returns whether there was one. @throws {HostError} SPEC_CHANGED */
  async deleteModel(id: string, expected: Expected<StoredDocument>): Promise<boolean> {
    if (!isSpecId(id)) return false
    const check = checkOf(`model "${id}"`, expected)
    return this.#parts.storage.documents.delete(SPECS_OWNER, MODEL, id, check)
  }

  /** The ids of the stored agents that refer to a model. */
  async usersOf(model: string): Promise<readonly StoredAgent[]> {
    return (await this.agents()).filter(({ spec }) => spec['model_id'] === model)
  }

  /** The stored agents that have an agent as a delegate or in their team. */
  async askersOf(agent: string): Promise<readonly StoredAgent[]> {
    const isAsker = ({ id, spec }: StoredAgent) =>
      id !== agent && namesIn(spec as unknown as AgentSpec).includes(agent)
    return (await this.agents()).filter(isAsker)
  }

  /**
   * Makes a runtime of one agent, with the model that it refers to: one of the config, else of the storage. The runtime
   * knows the agents that it asks, but not how they run. It shares what the program gave to the runtime of the server.
   * @param model takes the place of the stored model
   * @throws {HostError} SPEC_INVALID, STORAGE_FAILED
   */
  async runtimeOf(id: string, spec: object, model?: ModelSpec): Promise<AgentRuntime> {
    const { declared, rules } = this.#parts
    const { reasonAgainst } = rules
    const own = { ...spec, id } as AgentSpec
    const models = await this.#modelsFor(own, model)
    const { host, surroundings } = declared.runtime
    const builder = runtimeBuilder({ host, reasonAgainst, surroundings })
    for (const one of models) builder.withModel(one)
    for (const one of [own, ...(await askedAgents(own, (id) => this.#named(id)))]) {
      builder.withAgent(one)
    }
    const runtime = await builder.buildUnchecked()
    await host.load()
    throwFaults(rules.agentFaults(own), `The agent "${id}"`)
    return runtime
  }

  /** Finds an agent that another one may ask: one that the server publishes, else a stored one. */
  async #named(id: string): Promise<AgentSpec | undefined> {
    const published = this.#parts.declared.published(id)
    return published ?? ((await this.agent(id))?.spec as AgentSpec | undefined)
  }

  /** Checks what is to be a stored model. @throws {HostError} SPEC_INVALID */
  async checkModel(id: string, value: object): Promise<ModelSpec> {
    const spec = await checkModelSpec({ ...value, id }, `The model "${id}"`)
    throwFaults(this.#parts.rules.modelFaults(spec), `The model "${id}"`)
    const { models, pools } = this.#parts.declared.runtime
    if (![...models, ...pools].some((one) => one.id === id)) return spec
    throw new HostError(
      'SPEC_INVALID',
      `The config of the server has a model "${id}". Use another id.`,
      { pointer: '/id' },
    )
  }

  async #modelsFor(
    { model_id: id }: AgentSpec,
    given?: ModelSpec,
  ): Promise<readonly (ModelSpec | ModelPool)[]> {
    const { models, pools } = this.#parts.declared.runtime
    if (typeof id !== 'string') return []
    const declared = [...models, ...pools]
    if (declared.some((one) => one.id === id)) return declared
    if (given?.id === id) return [given]
    const stored = await this.model(id)
    return stored ? [await this.checkModel(id, Object(stored.content) as object)] : declared
  }
}

/** Judges the spec that is stored when a change is made; undefined where there is none. */
export type Expected<Stored> = (before: Stored | undefined) => boolean

/** Refuses a change of a spec that is not the expected one. @param named the spec, for the error */
function checkOf<Stored>(
  named: string,
  isExpected: Expected<Stored>,
): (before: Stored | undefined) => void {
  return (before) => {
    if (isExpected(before)) return
    const what = before ? 'is another one than the request expects' : 'does not exist any more'
    throw new HostError('SPEC_CHANGED', `The ${named} ${what}. Read it again.`)
  }
}

/** Whether an id can be that of a spec, so that the storage need not be asked. */
function isSpecId(id: string): boolean {
  return ID.test(id)
}
