import type { ConfigLayer, Host, Resolution, ToolReason } from '@braidwork/core'
import { type NamedTool, stackLayers } from '@braidwork/core/internal'
import { HostError, type InventoryTool, type ModelInfo, pointerOf } from '@braidwork/plugin'
import { delegateTool, spawnTool } from '../children/index.ts'
import { callerTools } from '../environment-hooks/index.ts'
import { ignoredRetries } from '../opened-models.ts'
import type { RunModel } from '../routing.ts'
import { permissionRules } from '../sections/index.ts'
import { type AgentSpec, type ModelSpec, modelInfoOf } from '../specs/index.ts'
import { type Team, toolsOf } from '../teams/index.ts'
import type { FoundDelegate } from './found-delegates.ts'
import type { Registries } from './registries.ts'
import type { ResolvedAgent } from './resolved-agent.ts'

/** The name of the extension that marks what a provider is to cache. */
export const PROMPT_CACHE = 'prompt-cache'

/** An agent with one of its models: what a run with it would use. */
export interface Trial extends RunModel {
  readonly model: ModelSpec | undefined
  readonly resolution: Resolution
  /** The facts about the model: those of its spec over those of the provider. */
  readonly facts: ModelInfo
  readonly tools: readonly InventoryTool[]
  /** The warning that the provider's own retries are off. */
  readonly ignored: string | undefined
}

/** What the trials of an agent have in common. */
export type TrialParts = Pick<Registries, 'host' | 'hooks'> &
  Pick<ResolvedAgent, 'spec' | 'hookTools' | 'reasonAgainst'> & {
    readonly delegates: readonly FoundDelegate[]
    readonly team?: Team
  }

/**
 * Opens the config once, as a run would, and asks for its tools.
 * @throws {HostError} TOOL_ID_CONFLICT, SETTINGS_INVALID, and the errors of the host's resolution
 */
export async function tryModel(
  { host, hooks, spec, hookTools, reasonAgainst, delegates, team }: TrialParts,
  model: ModelSpec | undefined,
): Promise<Trial> {
  const { config, ...stated } = statedOf(host, spec, model)
  const resolution = await host.resolve(config)
  try {
    using opened = await host.open(config, {
      withholds: withholding(reasonAgainst),
      tools: [
        ...callerTools(hookTools, hooks.all, { agent: spec.id }),
        ...delegates.filter(({ missing }) => missing === undefined).map(delegateTool),
        ...(spec.subagents ? [spawnTool({})] : []),
        ...(team ? toolsOf(team) : []),
      ],
      ...(spec.active_hook_filter ? { active: spec.active_hook_filter } : {}),
      ...stated,
    })
    return {
      model,
      choice: choiceOf(model, resolution),
      config,
      ...stated,
      resolution,
      facts: opened.modelInfo,
      tools: opened.inventory,
      ignored: spec.sections?.['retry'] && ignoredRetries(opened),
    }
  } catch (error) {
    throw ofAgent(spec, error)
  }
}

/** What a spec and its model state: the layer over the host's config, and facts about the model. */
export function statedOf(
  host: Host,
  spec: AgentSpec,
  model: ModelSpec | undefined,
): Pick<RunModel, 'config' | 'modelInfo'> {
  const config = layerOf(host, spec, model)
  return model ? { config, modelInfo: modelInfoOf(model) } : { config }
}

/** The layer over the host's config that a spec and its model come to. */
function layerOf(host: Host, spec: AgentSpec, model: ModelSpec | undefined): ConfigLayer {
  const { config = {}, max_rounds, reasoning_effort } = spec
  const plugins = [...(spec.plugin_ids ?? []), ...cachingIn(host, spec)]
  const own: ConfigLayer = {
    ...(plugins.length > 0 ? { enabled_plugins: { add: plugins } } : {}),
    ...(max_rounds === undefined ? {} : { limits: { max_rounds } }),
    ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
    ...(model ? { provider: model.provider_id, model: model.upstream_model } : {}),
    ...policyIn(spec),
  }
  return stackLayers(config, own)
}

/** The extension that the context policy turns on. A provider without prompt caching turns it off again. AW-45 */
function cachingIn({ plugins }: Host, { context_policy: policy }: AgentSpec): readonly string[] {
  const isWanted = policy !== undefined && policy.enable_prompt_cache !== false
  return isWanted && plugins.some(({ name }) => name === PROMPT_CACHE) ? [PROMPT_CACHE] : []
}

/** The section `permission` as a policy of the config. */
function policyIn({ sections }: AgentSpec): Pick<ConfigLayer, 'tool_policy'> {
  const rules = permissionRules(sections).map(({ tool, decision }) => [tool, decision] as const)
  return rules.length > 0 ? { tool_policy: Object.fromEntries(rules) } : {}
}

function choiceOf(
  spec: ModelSpec | undefined,
  { provider, model }: Resolution,
): RunModel['choice'] {
  return {
    ...(spec ? { id: spec.id } : {}),
    provider,
    ...(model === undefined ? {} : { model }),
  }
}

/** The error of a host about the tools or the settings of an agent, with its place in the spec. */
function ofAgent({ id, config }: AgentSpec, error: unknown): unknown {
  if (!HostError.is(error)) return error
  const { code, message, plugin, pointer } = error
  if (code === 'TOOL_NAME_TAKEN') {
    const text = `The agent "${id}": ${message}`
    return new HostError('TOOL_ID_CONFLICT', text, { plugin, pointer, cause: error })
  }
  if (code !== 'SETTINGS_INVALID' || !isIn(config, pointer)) return error
  return new HostError(code, message, { plugin, pointer: `/config${pointer}`, cause: error })
}

/** Whether the agent's own layer has the settings to which a pointer leads. */
function isIn({ settings }: ConfigLayer = {}, pointer = ''): boolean {
  return Object.keys(settings ?? {}).some((plugin) =>
    `${pointer}/`.startsWith(`${pointerOf(['settings', plugin])}/`),
  )
}

/** A catalog as an option of `host.open`. */
export function withholding(reasonAgainst: ResolvedAgent['reasonAgainst']) {
  return ({ name, ownName, plugin }: NamedTool): string | ToolReason | undefined =>
    reasonAgainst({ name, id: plugin === undefined ? ownName : `${plugin}.${ownName}` })
}
