import type { Config, Diagnostic, Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'

/** The rules that turn a plugin on or off. */
export const RULES = {
  provider: 'the provider is never filtered',
  forced: 'named in force_enabled_plugins',
  'own verdict': 'its isEnabled answered true or false',
  tags: 'every required tag is present and no forbidden one',
  'missing tags': 'a required tag is not provided',
  'forbidden tags': 'a forbidden tag is provided',
  'off by default': 'off unless named in enabled_plugins',
  disabled: 'named in disabled_plugins',
  'other provider': 'it does not serve this provider',
  threw: 'one of its hooks threw an error during resolution',
} as const
export type Rule = keyof typeof RULES

export interface TraceEntry {
  readonly plugin: string
  readonly kind: Kind
  readonly on: boolean
  /** The last round that judged the plugin; 0 if it was never a candidate. */
  readonly round: number
  readonly rule: Rule
  /** The required tags that were missing in that round. */
  readonly missing: readonly string[]
  /** The forbidden tags that were present in that round. */
  readonly forbidden: readonly string[]
}

/** The plugins for a config: a frozen value that requests, forms, tool schemas and `explain` all use. */
export interface Resolution {
  readonly provider: string
  /** The model of the config, else the first available one. Absent if no model is available. */
  readonly model?: string
  readonly models: readonly string[]
  /** Sorted by name. */
  readonly tags: readonly string[]
  readonly enabled: {
    readonly extensions: readonly string[]
    readonly features: readonly string[]
    readonly tools: readonly string[]
  }
  readonly rounds: number
  readonly trace: readonly TraceEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The enabled plugins, in order. */
export interface EnabledPlugins {
  readonly provider: AnyPlugin
  readonly extensions: readonly AnyPlugin[]
  readonly features: readonly AnyPlugin[]
  readonly tools: readonly AnyPlugin[]
}

/** The config keys that list plugin ids. */
export const ID_LISTS = ['enabled_plugins', 'disabled_plugins', 'force_enabled_plugins'] as const

export interface ResolveOptions {
  /** The config as one plugin may see it. The default is the config itself. */
  readonly configOf?: (config: Config, plugin: AnyPlugin) => Config
  /** Known models of a provider, for example from a cache, in addition to those that its hook lists. */
  readonly knownModels?: (provider: string) => readonly string[]
}
