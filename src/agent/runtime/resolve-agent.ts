import { type ConfigLayer, type Host, mergeLayers } from '@braidwork/core'
import { didYouMean, listed, type NamedTool, stackLayers } from '@braidwork/core/internal'
import { HostError, type InventoryTool } from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import { type CatalogTool, catalogWarnings, ToolCatalog } from '../catalog/index.ts'
import { ignoredRetries } from '../opened-models.ts'
import type { RetrySection } from '../retry/index.ts'
import { checkSections, RUNTIME_CLAIMS, type SectionClaims } from '../sections/index.ts'
import { type AgentSpec, type ModelSpec, modelInfoOf } from '../specs/index.ts'
import type { Registry } from './registry.ts'
import type { AgentWarning, ResolvedAgent, ResolvedLimit } from './resolved-agent.ts'

/** What the resolution of an agent reads. AW-15 */
export interface Registries {
  readonly host: Host
  readonly agents: Registry<AgentSpec>
  readonly models: Registry<ModelSpec>
  /** Who reads which sections of specs. The default are the claims of the runtime. AW-06 */
  readonly claims?: SectionClaims
}

/** An agent after the look-up: its spec and its model. */
interface Found {
  readonly spec: AgentSpec
  readonly model?: ModelSpec
}

/**
 * Resolves an agent in three stages: look-up, plugins, tools. It reads the registries and nothing else. AW-01, AW-15
 * @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND, PLUGIN_NOT_FOUND, TOOL_ID_CONFLICT,
 * INVALID_PLUGIN_CONFIG, SETTINGS_INVALID and the errors of the host's resolution; nothing is returned in part
 */
export async function resolveAgent(registries: Registries, id: string): Promise<ResolvedAgent> {
  const { host } = registries
  const found = lookUp(registries, id)
  const config = layerOf(found)
  const resolution = await resolvePlugins(host, found, config)
  const sections = await sectionWarnings(found.spec, registries.claims)
  const { tools, modelInfo, reasonAgainst, ignored } = await resolveTools(host, found, config)
  const catalog = catalogWarnings(found.spec, tools.filter(isTool).map(catalogTool))
  return Object.freeze({
    ...found,
    config,
    resolution,
    modelInfo,
    tools,
    ...retryOf(found.spec),
    limits: { max_rounds: maxRounds(host, found.spec) },
    warnings: [
      ...offWarnings(found.spec, resolution),
      ...sections,
      ...ignoredWarnings(id, ignored),
      ...catalog.map((warning) => ({ ...warning, agent: id })),
    ],
    reasonAgainst,
  })
}

/** @throws {HostError} AGENT_NOT_FOUND, MODEL_NOT_FOUND, PROVIDER_NOT_FOUND */
function lookUp({ host, agents, models }: Registries, id: string): Found {
  const spec = agents.get(id)
  if (spec.model_id === undefined) return { spec }
  const model = models.get(spec.model_id, `The agent "${id}"`)
  const providers = host.plugins.filter(({ kind }) => kind === 'provider').map(({ name }) => name)
  const { provider_id: provider } = model
  if (providers.includes(provider)) return { spec, model }
  const known = providers.length > 0 ? listed(providers) : 'none'
  const message = `The model "${model.id}" refers to the provider "${provider}", which is not registered; the providers are ${known}.${didYouMean(provider, providers)}`
  throw new HostError('PROVIDER_NOT_FOUND', message)
}

/** The layer over the host's config that a spec and its model come to. */
function layerOf({ spec, model }: Found): ConfigLayer {
  const { config = {}, plugin_ids: plugins, max_rounds, reasoning_effort } = spec
  const own: ConfigLayer = {
    ...(plugins ? { enabled_plugins: { add: plugins } } : {}),
    ...(max_rounds === undefined ? {} : { limits: { max_rounds } }),
    ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
    ...(model ? { provider: model.provider_id, model: model.upstream_model } : {}),
  }
  return stackLayers(config, own)
}

/** @throws {HostError} PLUGIN_NOT_FOUND */
async function resolvePlugins(host: Host, { spec }: Found, config: ConfigLayer) {
  const names = host.plugins.map(({ name }) => name)
  const missing = spec.plugin_ids?.find((id) => !names.includes(id))
  if (missing === undefined) return host.resolve(config)
  const message = `The agent "${spec.id}" refers to the plugin "${missing}", which is not registered.${didYouMean(missing, names)}`
  throw new HostError('PLUGIN_NOT_FOUND', message, { pointer: '/plugin_ids' })
}

/** Warns of sections that nobody reads. @throws {HostError} INVALID_PLUGIN_CONFIG */
async function sectionWarnings(
  { id: agent, sections = {} }: AgentSpec,
  claims: SectionClaims = RUNTIME_CLAIMS,
): Promise<readonly AgentWarning[]> {
  const unclaimed = await checkSections(agent, sections, claims)
  return unclaimed.map(({ name, message }) => ({
    code: 'SECTION_UNKNOWN',
    agent,
    field: 'sections',
    entry: name,
    message,
  }))
}

/** Opens the config once, as a run would, and asks for its tools. @throws {HostError} TOOL_ID_CONFLICT */
async function resolveTools(host: Host, { spec, model }: Found, config: ConfigLayer) {
  const catalog = new ToolCatalog(spec)
  const reasonAgainst = (tool: CatalogTool) => catalog.reasonAgainst(tool)
  try {
    using opened = await host.open(config, {
      withholds: withholding(reasonAgainst),
      ...(model ? { modelInfo: modelInfoOf(model) } : {}),
    })
    const ignored = spec.sections?.['retry'] && ignoredRetries(opened)
    return { tools: opened.inventory, modelInfo: opened.modelInfo, reasonAgainst, ignored }
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'TOOL_NAME_TAKEN') throw error
    const { message, plugin, pointer } = error
    const text = `The agent "${spec.id}": ${message}`
    throw new HostError('TOOL_ID_CONFLICT', text, { plugin, pointer, cause: error })
  }
}

/** The section `retry`, which was checked before. */
function retryOf({ sections }: AgentSpec): Pick<ResolvedAgent, 'retry'> {
  const retry = sections?.['retry'] as unknown as RetrySection | undefined
  return retry ? { retry } : {}
}

function ignoredWarnings(agent: string, message: string | undefined): readonly AgentWarning[] {
  if (message === undefined) return []
  return [{ code: 'SETTING_IGNORED', agent, field: 'sections', entry: 'retry', message }]
}

/** A catalog as an option of `host.open`. */
export function withholding(reasonAgainst: ResolvedAgent['reasonAgainst']) {
  return ({ name, ownName, plugin }: NamedTool): string | undefined =>
    reasonAgainst({ name, id: plugin === undefined ? ownName : `${plugin}.${ownName}` })
}

/** Whether an entry of an inventory is a tool: of a plugin that is off, the tools are not known. */
function isTool({ input_schema }: InventoryTool): boolean {
  return input_schema !== undefined
}

function catalogTool({ tool_name: name, metadata_ref: id }: InventoryTool): CatalogTool {
  return { name, id }
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
