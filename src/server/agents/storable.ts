import type { AgentSpec, ModelSpec, ResolvedAgent } from '@braidwork/agent'
import { PROMPT_CACHE, permissionRules, type SpecFault } from '@braidwork/agent/internal'
import type { Host } from '@braidwork/core'
import { isOffByDefault, listed } from '@braidwork/core/internal'
import { isObject, pointerOf } from '@braidwork/plugin'
import { guardedSettings, isAt } from '../settings/index.ts'

export interface StorableParts {
  readonly host: Host
  /** The providers that the config of the server uses. */
  readonly providers: ReadonlySet<string>
  /** JSON pointers of the settings and switches that a stored agent may have. */
  readonly settable: readonly string[]
}

/**
 * Whether a stored agent may have a field of a spec as it is, only what the rules below allow, or not at all: a filter
 * could turn off a feature that guards the tools. Of delegates and members of teams, only those are found that the server
 * publishes or stores.
 */
const FIELDS: { readonly [field in keyof Required<AgentSpec>]: 'free' | 'ruled' | 'refused' } = {
  id: 'free',
  description: 'free',
  model_id: 'free',
  system_prompt: 'free',
  max_rounds: 'free',
  stop_conditions: 'free',
  reasoning_effort: 'free',
  plugin_ids: 'ruled',
  context_policy: 'ruled',
  active_hook_filter: 'refused',
  sections: 'ruled',
  allowed_tools: 'free',
  allowed_tool_patterns: 'free',
  excluded_tools: 'free',
  excluded_tool_patterns: 'free',
  config: 'ruled',
  delegates: 'free',
  team: 'free',
  subagents: 'free',
  endpoint: 'refused',
}

/** Whether a stored agent may have a field of a spec. */
export function isStorable(field: string): boolean {
  return Object.hasOwn(FIELDS, field) && FIELDS[field as keyof typeof FIELDS] !== 'refused'
}

/** The keys of a config that a stored agent may have: none names a provider, a path, an address or a program. */
const CONFIG_KEYS: ReadonlySet<string> = new Set([
  'temperature',
  'top_p',
  'max_output_tokens',
  'stop',
  'seed',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning_effort',
  'response_format',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'on_sibling_failure',
  'on_interrupt',
])

/**
 * Decides what a spec in the storage may contain. Whoever stores specs over a wire reaches nothing that the server's own
 * config does not reach.
 */
export class StorableRules {
  readonly #parts: StorableParts

  constructor(parts: StorableParts) {
    this.#parts = parts
  }

  /** @param spec a valid spec. Its plugins must be loaded: before that, only their manifests are known. */
  agentFaults(spec: AgentSpec): readonly SpecFault[] {
    const fields = Object.keys(spec).filter((field) => !isStorable(field))
    return [
      ...fields.map((field) => faultAt([field], `"${field}" cannot be stored`)),
      ...this.#pluginFaults(spec),
      ...this.#configFaults(spec),
    ]
  }

  /** @param spec a valid spec */
  modelFaults({ provider_id: provider }: ModelSpec): readonly SpecFault[] {
    const { providers } = this.#parts
    if (providers.has(provider)) return []
    const message = `the config of the server does not use the provider "${provider}"; it uses ${listed([...providers]) || 'none'}`
    return [faultAt(['provider_id'], message)]
  }

  /** Says why a stored agent is not offered a tool, whatever its policy says: the config of the server denies it. */
  readonly reasonAgainst: ResolvedAgent['reasonAgainst'] = ({ id, name }) => {
    const { tool_policy: policies = {} } = this.#parts.host.config
    const key = [id, name].find((one) => Object.hasOwn(policies, one))
    if (key === undefined || policies[key] !== 'deny') return undefined
    const pointer = pointerOf(['tool_policy', key])
    return {
      text: 'The config of the server denies it.',
      why: { code: 'POLICY_DENIES', pointer },
    }
  }

  #pluginFaults({ plugin_ids: ids = [], context_policy: policy }: AgentSpec): readonly SpecFault[] {
    const caching = policy?.enable_prompt_cache === false || !policy ? [] : [PROMPT_CACHE]
    return [
      ...ids.flatMap((id, index) => this.#pluginFault(id, ['plugin_ids', index])),
      ...caching.flatMap((id) => this.#pluginFault(id, ['context_policy', 'enable_prompt_cache'])),
    ]
  }

  #pluginFault(id: string, path: readonly (string | number)[]): readonly SpecFault[] {
    const { plugins, config } = this.#parts.host
    const { enabled_plugins: enabled = [], force_enabled_plugins: forced = [] } = config
    const plugin = plugins.find(({ name }) => name === id)
    // The look-up tells of a plugin that is not registered.
    if (!plugin || !isOffByDefault(plugin) || [...enabled, ...forced].includes(id)) return []
    if (this.#isSettable(['switches', id])) return []
    const message = `the config of the server does not turn on "${id}"; only "${pointerOf(['switches', id])}" in "server.storable" lets stored agents do so`
    return [faultAt(path, message)]
  }

  #configFaults({ config = {}, sections }: AgentSpec): readonly SpecFault[] {
    const { settings = {}, tool_policy: policies = {}, ...rest } = config
    const keys = Object.keys(rest).filter((key) => !CONFIG_KEYS.has(key))
    const policyPaths = Object.keys(policies).map((tool) => ['config', 'tool_policy', tool])
    const rulePaths = permissionRules(sections).map((_, at) => [
      'sections',
      'permission',
      'rules',
      at,
    ])
    const allowing = [
      ...policyPaths.filter((_, at) => Object.values(policies)[at] === 'allow'),
      ...rulePaths.filter((_, at) => permissionRules(sections)[at]?.decision === 'allow'),
    ]
    const all = [...leavesOf(settings, ['settings'])]
    const paths = all.filter((path) => !this.#isSettable(path))
    const guarded = guardedSettings(this.#parts.host).filter(({ isDestination }) => isDestination)
    const sending = all.filter((path) => guarded.some((one) => isAt(path, one.path)))
    return [
      ...keys.map((key) => faultAt(['config', key], `a stored agent may not have "${key}"`)),
      ...allowing.map((path) =>
        faultAt(path, 'a stored agent can only restrict tools; use "ask" or "deny"'),
      ),
      ...paths.map((path) => {
        const message = `only "${pointerOf(path)}" in "server.storable" lets stored agents have this setting`
        return faultAt(['config', ...path], message)
      }),
      ...sending.map((path) =>
        faultAt(['config', ...path], 'a stored agent may not decide where secrets are sent'),
      ),
    ]
  }

  #isSettable(path: readonly string[]): boolean {
    const pointer = pointerOf(path)
    return this.#parts.settable.some((one) => pointer === one || pointer.startsWith(`${one}/`))
  }
}

function faultAt(path: readonly (string | number)[], message: string): SpecFault {
  return { pointer: pointerOf(path), message }
}

/** The paths to all values in an object that are no objects themselves, or empty ones. */
function* leavesOf(value: object, path: readonly string[]): Generator<readonly string[]> {
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key]
    if (isObject(inner) && Object.keys(inner).length > 0) yield* leavesOf(inner, at)
    else yield at
  }
}
