import { type Host, mergeLayers } from '@braidwork/core'
import { didYouMean } from '@braidwork/core/internal'
import { HostError } from '@braidwork/plugin'
import { frozenCopy, limitsOf } from '@braidwork/plugin/internal'
import { ToolCatalog } from '../catalog/index.ts'
import { scopeReason } from '../environment-hooks/index.ts'
import type { RetrySection } from '../retry/index.ts'
import type { ExcludedModel, Routing, RunModel } from '../routing.ts'
import { checkSections } from '../sections/index.ts'
import type { AgentSpec } from '../specs/index.ts'
import { fittingModels } from './fitting-models.ts'
import { delegateWarnings } from './found-delegates.ts'
import { teamWarnings, toolsAsMember } from './found-team.ts'
import { type Found, lookUp } from './look-up.ts'
import type { Registries } from './registries.ts'
import type { AgentWarning, ResolvedAgent, ResolvedLimit } from './resolved-agent.ts'
import { toolWarnings } from './run-warnings.ts'
import { claimsFor } from './section-claims.ts'
import { statedOf, type Trial, tryModel } from './trials.ts'

/**
 * Resolves an agent in three stages: look-up, plugins, tools. It reads the registries and nothing else. AW-01, AW-15
 * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, AMBIGUOUS_MODEL_REFERENCE, PROVIDER_NOT_FOUND,
 * PLUGIN_NOT_FOUND, INVALID_PLUGIN_CONFIG, MODEL_UNFIT, TOOL_ID_CONFLICT, SETTINGS_INVALID and the errors of the host's
 * resolution; nothing is returned in part
 */
export async function resolveAgent(registries: Registries, id: string): Promise<ResolvedAgent> {
  const { host } = registries
  const found = lookUp(registries, id)
  const { spec } = found
  checkPlugins(host, spec)
  const sections = await sectionWarnings(host, found)
  const offered = await offeredBy(registries, spec)
  const trials = await trialsOf(registries, found, offered)
  const { fitting, excluded } = fittingModels(found, trials)
  const first = fitting[0] as Trial
  const { resolution } = first
  const data = frozenCopy({
    ...(first.model ? { model: first.model } : {}),
    config: first.config,
    modelInfo: first.facts,
    routing: routingOf(found, fitting, excluded),
    tools: first.tools,
    limits: { max_rounds: maxRounds(host, spec) },
    warnings: [
      ...offWarnings(spec, first.resolution),
      ...sections,
      ...delegateWarnings(id, found.delegates),
      ...teamWarnings(found.team),
      ...ignoredWarnings(id, fitting),
      ...toolWarnings(spec, {
        inventory: first.tools,
        asMember: toolsAsMember(registries, id),
        models: fitting,
        reasonAgainst: offered.reasonAgainst,
      }),
    ],
  })
  return Object.freeze({ spec, resolution, ...data, ...offered, ...retryOf(spec) })
}

/** The tools of environment hooks, and the reasons against tools of all sources. */
async function offeredBy(
  registries: Registries,
  spec: AgentSpec,
): Promise<Pick<ResolvedAgent, 'hookTools' | 'reasonAgainst'>> {
  const hookTools = await registries.hooks.tools(spec)
  const reason = reasonFor(registries, spec)
  return {
    hookTools: Object.freeze(hookTools),
    reasonAgainst: (tool) => reason(tool) ?? scopeReason(hookTools, tool),
  }
}

/** Tries an agent with each of its models. @throws {HostError} as `tryModel` */
export async function trialsOf(
  { host, hooks }: Registries,
  { spec, models, delegates, team }: Found,
  offered: Pick<ResolvedAgent, 'hookTools' | 'reasonAgainst'>,
): Promise<readonly Trial[]> {
  const trials: Trial[] = []
  const parts = { host, hooks, spec, delegates, ...(team ? { team } : {}), ...offered }
  for (const model of models) trials.push(await tryModel(parts, model))
  return trials
}

/** Returns the function that says why the catalog leaves out a tool. */
export function reasonFor(
  { reasonAgainst }: Registries,
  spec: AgentSpec,
): ResolvedAgent['reasonAgainst'] {
  const catalog = new ToolCatalog(spec)
  return (tool) => reasonAgainst?.(tool) ?? catalog.reasonAgainst(tool)
}

export function routingOf(
  { spec: { model_id: requested }, requires }: Found,
  fitting: readonly RunModel[],
  excluded: readonly ExcludedModel[],
): Routing {
  return {
    ...(requested === undefined ? {} : { requested }),
    ...(requires ? { required: requires } : {}),
    candidates: fitting.map(({ choice, config, modelInfo }) => ({
      choice,
      config,
      ...(modelInfo ? { modelInfo } : {}),
    })),
    excluded,
  }
}

/** @throws {HostError} PLUGIN_NOT_FOUND */
export function checkPlugins(host: Host, spec: AgentSpec): void {
  const names = host.plugins.map(({ name }) => name)
  for (const field of ['plugin_ids', 'active_hook_filter'] as const) {
    const missing = spec[field]?.find((plugin) => !names.includes(plugin))
    if (missing === undefined) continue
    const message = `The agent "${spec.id}" refers to the plugin "${missing}", which is not registered.${didYouMean(missing, names)}`
    throw new HostError('PLUGIN_NOT_FOUND', message, { pointer: `/${field}` })
  }
}

/** Warns of sections that nobody reads. @throws {HostError} INVALID_PLUGIN_CONFIG */
export async function sectionWarnings(
  host: Host,
  { spec, models }: Found,
): Promise<readonly AgentWarning[]> {
  const { id: agent, sections = {} } = spec
  const claims = await claimsFor(host, spec, statedOf(host, spec, models[0]).config)
  const unclaimed = await checkSections(agent, sections, claims)
  return unclaimed.map(({ name, message }) => ({
    code: 'SECTION_UNKNOWN',
    agent,
    field: 'sections',
    entry: name,
    message,
  }))
}

/** The section `retry`, which was checked before. */
export function retryOf({ sections }: AgentSpec): Pick<ResolvedAgent, 'retry'> {
  const retry = sections?.['retry'] as unknown as RetrySection | undefined
  return retry ? { retry } : {}
}

function ignoredWarnings(agent: string, trials: readonly Trial[]): readonly AgentWarning[] {
  const messages = new Set(trials.flatMap(({ ignored }) => ignored ?? []))
  const place = { code: 'SETTING_IGNORED', agent, field: 'sections', entry: 'retry' } as const
  return [...messages].map((message) => ({ ...place, message }))
}

/** Warns of plugins of the spec that are off for this agent. */
function offWarnings(
  { id: agent, plugin_ids = [] }: AgentSpec,
  { trace }: ResolvedAgent['resolution'],
): readonly AgentWarning[] {
  return trace
    .filter(({ plugin, on }) => !on && plugin_ids.includes(plugin))
    .map(({ plugin: entry, rule }) => ({
      code: 'PLUGIN_OFF',
      agent,
      field: 'plugin_ids',
      entry,
      message: `The plugin "${entry}" is off for this agent: ${rule}.`,
    }))
}

function maxRounds(host: Host, { max_rounds: own, config = {} }: AgentSpec): ResolvedLimit {
  if (own !== undefined) return { value: own, source: 'agent' }
  const { max_rounds: value } = limitsOf(mergeLayers(host.config, config))
  if (config.limits?.max_rounds !== undefined) return { value, source: 'agent' }
  return { value, source: host.config.limits?.max_rounds === undefined ? 'default' : 'config' }
}
