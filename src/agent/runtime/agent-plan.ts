import type { CallerTool, ConfigLayer, OpenOptions } from '@braidwork/core'
import type {
  ContextItem,
  InventoryTool,
  Message,
  MessagesInput,
  ModelInfo,
} from '@braidwork/plugin'
import type { RemoteAgent } from '../backends/index.ts'
import type { RetrySection } from '../retry/index.ts'
import type { Routing } from '../routing.ts'
import type { ChildLog } from '../run-log/index.ts'
import type { RunOptions } from '../run-options.ts'
import type { AgentSpec } from '../specs/index.ts'
import type { StopCondition } from '../stop/index.ts'
import type { SharedContext } from '../storage/index.ts'
import type { Team } from '../teams/index.ts'
import { fittingModels } from './fitting-models.ts'
import type { FoundDelegate } from './found-delegates.ts'
import { toolsAsMember } from './found-team.ts'
import { type Found, lookUp } from './look-up.ts'
import type { Registries } from './registries.ts'
import {
  checkPlugins,
  reasonFor,
  retryOf,
  routingOf,
  sectionWarnings,
  trialsOf,
} from './resolve-agent.ts'
import type { AgentWarning } from './resolved-agent.ts'
import { runWarnings } from './run-warnings.ts'
import { statedOf, withholding } from './trials.ts'

/**
 * What a run takes from an agent. It comes from the registries alone: the run opens the config, once, and with that
 * resolves the agent's plugins and tools.
 */
export interface AgentPlan {
  /** The layer over the host's config, of the first model. */
  readonly config: ConfigLayer
  /** The messages in front of those of a run: the system prompt. */
  readonly prompt: readonly Message[]
  /** What the prompt consists of. LR-06 */
  readonly context?: readonly ContextItem[]
  /** Says why the catalog of the agent leaves out a tool, as the option of `host.open` does. */
  readonly withholds?: OpenOptions['withholds']
  /** The facts that the spec of the model states. */
  readonly modelInfo?: ModelInfo
  /** The spec, as far as the hooks of features see it. */
  readonly agent?: AgentSpec
  /** The features and tools that act. */
  readonly active?: readonly string[]
  readonly stopConditions?: readonly StopCondition[]
  readonly retry?: RetrySection
  /** The models that the run may ask. Absent for the model of the host's config. */
  readonly routing?: Routing
  /** Tools of environment hooks. */
  readonly tools?: readonly CallerTool[]
  readonly onEvent?: NonNullable<RunOptions['onEvent']>
  /** The agent itself, if it runs elsewhere: then the plan has no model, no plugins and no tools. AW-03 */
  readonly remote?: RemoteAgent
  /** The agents that it may ask. AW-10 */
  readonly delegates?: readonly PlannedDelegate[]
  /** Whether it may have subagents. AL-22 */
  readonly hasSubagents?: boolean
  /** The team that it leads, or asks. AL-13 */
  readonly team?: PlannedTeam
  /** Who writes to the agent, and so to those that it asks. AL-07 */
  readonly sender?: string
  /** Warns of what is probably not meant in its spec, by the tools of a run. AW-37 */
  readonly warnings?: (tools: readonly InventoryTool[]) => readonly AgentWarning[]
  /** Adds what the environment hooks of the runtime have for an order. @throws {HostError} HOOK_FAILED */
  readonly surround?: (plan: AgentPlan, order: PlannedOrder) => Promise<OrderedPlan>
}

/** An agent that another one may ask, and its plan. */
export interface PlannedDelegate extends FoundDelegate {
  /** Plans its next run. @throws {HostError} as `planAgent` */
  readonly plan: () => Promise<AgentPlan>
}

/** A team, and the plans of its members by their ids. */
export interface PlannedTeam {
  readonly team: Team
  /** Plans the next run of a member. @throws {HostError} as `planAgent` */
  readonly plan: (id: string) => Promise<AgentPlan>
}

/** What a run is about to be asked. */
export interface PlannedOrder {
  readonly messages: MessagesInput
  readonly conversationId?: string | undefined
  /** Who writes to the agent. The calls of environment hooks carry it. CT-07 */
  readonly sender?: string | undefined
}

/** A plan for one order: the messages are those that the model is to see. */
export interface OrderedPlan {
  readonly plan: AgentPlan
  readonly messages: MessagesInput
}

/**
 * The options of a run that an agent's plan does not decide. Their `onEvent` is told of this run alone, that of the plan
 * also of its subagents.
 */
export interface PlanOptions
  extends Omit<RunOptions, Exclude<keyof AgentPlan, 'tools' | 'onEvent'>> {
  /** Stores child runs. By default they are not stored. */
  readonly childLog?: ChildLog
  /** What the members of its team share. By default it is kept in memory, for one leg of the run. */
  readonly shared?: SharedContext
}

/** The plan of an agent that has a spec. */
export interface PlannedAgent extends AgentPlan {
  readonly agent: AgentSpec
}

/**
 * Plans the next run of an agent. Only a pool that requires something of its models needs trials of them.
 * @param plan plans the runs of delegates, each when it is asked
 * @throws {HostError} the errors of the look-up, INVALID_PLUGIN_CONFIG, and those of `resolveAgent` for such a pool
 */
export async function planAgent(
  registries: Registries,
  id: string,
  plan: (id: string) => Promise<AgentPlan>,
): Promise<PlannedAgent> {
  const found = lookUp(registries, id)
  const { spec } = found
  const delegates = found.delegates.map((one) => ({ ...one, plan: () => plan(one.id) }))
  const { active_hook_filter: active, stop_conditions: stopConditions } = spec
  checkPlugins(registries.host, spec)
  const sections = await sectionWarnings(registries.host, found)
  const reasonAgainst = reasonFor(registries, spec)
  const facts = { asMember: toolsAsMember(registries, id), reasonAgainst }
  const routing = await routingFor(registries, found)
  const { config, modelInfo } = routing?.candidates[0] ?? statedOf(registries.host, spec, undefined)
  return {
    config,
    ...(modelInfo ? { modelInfo } : {}),
    prompt: promptOf(spec),
    withholds: withholding(reasonAgainst),
    agent: spec,
    warnings: (inventory) => [...sections, ...runWarnings(spec, { inventory, ...facts })],
    ...(active ? { active } : {}),
    ...(stopConditions ? { stopConditions } : {}),
    ...(routing ? { routing } : {}),
    ...(delegates.length > 0 ? { delegates } : {}),
    ...(spec.subagents ? { hasSubagents: true } : {}),
    ...(found.team ? { team: { team: found.team, plan } } : {}),
    ...retryOf(spec),
  }
}

async function routingFor(registries: Registries, found: Found): Promise<Routing | undefined> {
  const { spec, models, requires } = found
  if (requires) {
    const offered = { hookTools: [], reasonAgainst: reasonFor(registries, spec) }
    const { fitting, excluded } = fittingModels(found, await trialsOf(registries, found, offered))
    return routingOf(found, fitting, excluded)
  }
  const stated = models.flatMap((model) =>
    model ? [{ model, ...statedOf(registries.host, spec, model) }] : [],
  )
  if (stated.length === 0) return undefined
  const candidates = stated.map(({ model, ...rest }) => ({
    choice: { id: model.id, provider: model.provider_id, model: model.upstream_model },
    ...rest,
  }))
  return routingOf(found, candidates, [])
}

/**
 * A plan with other layers over the host's config. @param change returns the layer in place of that of a model
 * @param changeDelegates does so for the agents that it asks, and those that they ask. The default is `change`.
 */
export function planWith(
  { config, routing, delegates, team, ...plan }: AgentPlan,
  change: (config: ConfigLayer) => ConfigLayer,
  changeDelegates = change,
): AgentPlan {
  const candidates = routing?.candidates.map((one) => ({ ...one, config: change(one.config) }))
  const planned = async (one: Promise<AgentPlan>) => planWith(await one, changeDelegates)
  const changed = delegates?.map((one) => ({ ...one, plan: () => planned(one.plan()) }))
  return {
    ...plan,
    config: change(config),
    ...(changed ? { delegates: changed } : {}),
    ...(team ? { team: { ...team, plan: (id) => planned(team.plan(id)) } } : {}),
    ...(routing && candidates ? { routing: { ...routing, candidates } } : {}),
  }
}

function promptOf({ system_prompt: text }: AgentSpec): readonly Message[] {
  return text === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text }] }]
}
