import { type Config, type Diagnostic, HostError } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'
import { readTexts, readValue } from '../hooks/index.ts'
import { didYouMean, didYouMeanPlugin } from '../suggest.ts'
import { ID_LISTS, type Rule } from './resolution.ts'

/** The provider if the config names none and several are registered. */
const DEFAULT_PROVIDER = 'scripted'

/**
 * The provider for a config: the one that it names, else the only one registered, else `scripted`. CL-02
 * @throws {HostError} PROVIDER_UNKNOWN, PROVIDER_MISSING
 */
export function chooseProvider(plugins: readonly AnyPlugin[], config: Config): AnyPlugin {
  const providers = plugins.filter((plugin) => plugin.kind === 'provider')
  const names = providers.map((plugin) => plugin.name)
  const wanted = config.provider ?? (providers.length === 1 ? names[0] : DEFAULT_PROVIDER)
  const found = providers.find((plugin) => plugin.name === wanted)
  if (found) return found
  throw noProvider(plugins, names, config)
}

function noProvider(plugins: readonly AnyPlugin[], names: readonly string[], { provider }: Config) {
  const known = names.length === 0 ? 'none is registered' : `registered are ${quote(names)}`
  const add = names.length === 0 ? '"plugins" needs one, such as "scripted".' : 'Set "provider".'
  const pointer = '/provider'
  const unnamed = `The config names no provider; ${known}. ${add}`
  if (provider === undefined) return new HostError('PROVIDER_MISSING', unnamed, { pointer })
  const other = plugins.find(({ name }) => name === provider)
  const fault = other ? `is a plugin of the kind ${other.kind}` : 'is not registered'
  const loaded = other ? ' Name another.' : ' Add it to "plugins", or name another.'
  const advice = didYouMeanPlugin(provider, names) || loaded
  const message = `Provider "${provider}" ${fault}; ${known}.${advice}`
  return new HostError('PROVIDER_UNKNOWN', message, { pointer, provider })
}

/** The plugins that enter the rounds of resolution. */
export interface Selection {
  readonly candidates: readonly AnyPlugin[]
  /** The rule that keeps each other plugin out. */
  readonly kept: ReadonlyMap<AnyPlugin, Rule>
}

/** Selects the candidates for a provider and a config. Plugins that threw an error are left out. */
export function selectCandidates(
  plugins: readonly AnyPlugin[],
  provider: AnyPlugin,
  config: Config,
  threw: ReadonlyMap<AnyPlugin, unknown>,
): Selection {
  const ids = idSetsOf(config)
  const candidates: AnyPlugin[] = []
  const kept = new Map<AnyPlugin, Rule>()
  for (const plugin of plugins) {
    if (plugin.kind === 'provider') continue
    const rule = threw.has(plugin) ? 'threw' : whyNoCandidate(plugin, provider.name, ids)
    if (rule === undefined) candidates.push(plugin)
    else kept.set(plugin, rule)
  }
  return { candidates, kept }
}

/** The plugin lists of a config, as sets. */
interface IdSets {
  readonly enabled: ReadonlySet<string>
  readonly disabled: ReadonlySet<string>
  readonly forced: ReadonlySet<string>
}

function idSetsOf(config: Config): IdSets {
  return {
    enabled: new Set(config.enabled_plugins),
    disabled: new Set(config.disabled_plugins),
    forced: new Set(config.force_enabled_plugins),
  }
}

/** The rule that keeps a plugin out of the rounds. Undefined if it is a candidate. CL-14, CL-15, CL-16 */
function whyNoCandidate(plugin: AnyPlugin, provider: string, ids: IdSets): Rule | undefined {
  if (plugin.kind === 'extension' && !serves(plugin, provider)) return 'other provider'
  if (ids.forced.has(plugin.name)) return undefined
  if (ids.disabled.has(plugin.name)) return 'disabled'
  if (isOffByDefault(plugin) && !ids.enabled.has(plugin.name)) return 'off by default'
  return undefined
}

export function isOffByDefault(plugin: AnyPlugin): boolean {
  return readValue(plugin, 'defaultEnabled') === false
}

/** Whether an extension works with a provider. The default is every provider. CL-44 */
export function serves(extension: AnyPlugin, provider: string): boolean {
  return readTexts(extension, 'providers')?.includes(provider) ?? true
}

/** Diagnostics for ids that match no plugin, and for ids that are both forced and disabled. CL-16, CL-17 */
export function listDiagnostics(plugins: readonly AnyPlugin[], config: Config): Diagnostic[] {
  if (ID_LISTS.every((list) => config[list] === undefined)) return []
  // Every request asks. A set of the few ids costs less than one of all plugins.
  const unknown = new Set(ID_LISTS.flatMap((list) => config[list] ?? []))
  for (const { name } of plugins) unknown.delete(name)
  const faults = unknown.size > 0 ? unknownIds(unknown, plugins, config) : []
  return [...faults, ...contradictions(config)]
}

function unknownIds(
  unknown: ReadonlySet<string>,
  plugins: readonly AnyPlugin[],
  config: Config,
): Diagnostic[] {
  const names = plugins.map((plugin) => plugin.name)
  return ID_LISTS.flatMap((list) =>
    (config[list] ?? []).flatMap((id, index) =>
      unknown.has(id) ? [unknownId(id, `/${list}/${index}`, list, names)] : [],
    ),
  )
}

function unknownId(id: string, pointer: string, list: string, names: Iterable<string>): Diagnostic {
  const hint = didYouMean(id, names) || ' Remove it from the list, or load the plugin.'
  return {
    code: 'PLUGIN_UNKNOWN',
    level: 'warning',
    plugin: id,
    pointer,
    message: `"${id}" in ${list} is not a registered plugin.${hint}`,
  }
}

function contradictions(config: Config): Diagnostic[] {
  if (!config.force_enabled_plugins) return []
  const disabled = new Set(config.disabled_plugins)
  const both = [...new Set(config.force_enabled_plugins)].filter((id) => disabled.has(id))
  return both.map((id) => ({
    code: 'PLUGIN_FORCED_AND_DISABLED',
    level: 'warning',
    plugin: id,
    pointer: '/force_enabled_plugins',
    message: `"${id}" is both forced and disabled; forced wins. Remove it from one of the lists.`,
  }))
}

export function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}
