import type { AgentRuntime, AgentSpec } from '@braidwork/agent'
import { type AgentPlan, warningText } from '@braidwork/agent/internal'
import { didYouMean, listed } from '@braidwork/core/internal'
import { type Diagnostic, HostError, type Log } from '@braidwork/plugin'
import type { ListedModel } from '../wire/index.ts'

export interface DeclaredParts {
  readonly runtime: AgentRuntime
  /** The ids of the agents to publish. Without it, all are published. */
  readonly published?: readonly string[] | undefined
  /** The names of the published models, which no agent may have. */
  readonly models: ReadonlySet<string>
}

/** The agents of a config or a program that a server publishes. */
export class DeclaredAgents {
  readonly runtime: AgentRuntime
  readonly #published: readonly string[] | undefined
  readonly #models: ReadonlySet<string>

  constructor({ runtime, published, models }: DeclaredParts) {
    this.runtime = runtime
    this.#published = published
    this.#models = models
  }

  get listed(): readonly ListedModel[] {
    return this.#agents.map(({ id: name, description }) => ({
      name,
      ...(description === undefined ? {} : { description }),
    }))
  }

  /** Whether an agent is declared, published or not. */
  has(id: string): boolean {
    return this.runtime.agents.some((one) => one.id === id)
  }

  /** Plans the next run of an agent. Undefined if the server publishes none with this id. */
  async plan(id: string): Promise<AgentPlan | undefined> {
    return this.published(id) ? this.runtime.plan(id) : undefined
  }

  /** The spec of an agent that the server publishes. */
  published(id: string): AgentSpec | undefined {
    return this.#agents.find((one) => one.id === id)
  }

  /** Logs what is wrong with the agents. One that cannot run holds up no other. */
  async tell(log: Log): Promise<void> {
    for (const spec of this.#agents) await tellOf(spec, this.runtime, log)
    for (const fault of this.faults) log({ ...fault, level: 'error' })
  }

  /** The agents that cannot be published, and the names in the list that no agent has. */
  get faults(): readonly Diagnostic[] {
    const ids = this.runtime.agents.map(({ id }) => id)
    const taken = ids.filter((id) => this.#models.has(id) && this.#isChosen(id))
    return [
      ...taken.map((id) =>
        faultOf(
          id,
          `The agent "${id}" is not published, because a published model has the same name. Rename one of them.`,
        ),
      ),
      ...unknownAgents(this.#published, ids),
    ]
  }

  get #agents(): readonly AgentSpec[] {
    return this.runtime.agents.filter(({ id }) => this.#isChosen(id) && !this.#models.has(id))
  }

  #isChosen(id: string): boolean {
    return this.#published?.includes(id) ?? true
  }
}

/** The ids in the list of a config that no agent has. @param ids the ids of the declared agents */
export function unknownAgents(
  published: readonly string[] | undefined,
  ids: readonly string[],
): readonly Diagnostic[] {
  return (published ?? []).flatMap((id, index) => {
    if (ids.includes(id)) return []
    const known = didYouMean(id, ids) || ` The agents are ${listed(ids) || 'none'}.`
    const message = `"server.agents" names the agent "${id}", which is not declared.${known}`
    return [faultOf(id, message, `/server/agents/${index}`)]
  })
}

async function tellOf({ id, endpoint }: AgentSpec, runtime: AgentRuntime, log: Log): Promise<void> {
  try {
    if (endpoint) return void (await runtime.plan(id))
    const { warnings } = await runtime.resolve(id)
    for (const warning of warnings) {
      log({ level: 'warn', message: warningText(warning), code: warning.code })
    }
  } catch (error) {
    if (!HostError.is(error)) throw error
    const { code, message, pointer } = error
    const place = pointer === undefined ? {} : { pointer }
    log({ level: 'error', message: `The agent "${id}" cannot run: ${message}`, code, ...place })
  }
}

function faultOf(id: string, message: string, pointer = `/agents/${id}`): Diagnostic {
  return { code: 'SPEC_INVALID', level: 'error', message, pointer }
}
