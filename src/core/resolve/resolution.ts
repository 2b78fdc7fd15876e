import type { Config, Diagnostic, Kind } from '@braidwork/plugin'
import type { AnyPlugin } from '@braidwork/plugin/internal'

/** Why a plugin is on or off. */
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
  threw: 'one of its hooks threw while plugins were worked out',
} as const
export type Rule = keyof typeof RULES

export interface TraceEntry {
  readonly plugin: string
  readonly kind: Kind
  readonly on: boolean
  /** The round that judged it last; 0 where it never was a candidate. */
  readonly round: number
  readonly rule: Rule
  /** Required tags that its round lacked. */
  readonly missing: readonly string[]
  /** Forbidden tags that its round had. */
  readonly forbidden: readonly string[]
}

/** The plugins for a config: one frozen value for requests, forms, tool schemas and `explain`. */
export interface Resolution {
  readonly provider: string
  /** The config's, or the first offered; absent where none is offered. */
  readonly model?: string
  readonly models: readonly string[]
  /** Sorted. */
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

/** The plugins that a resolution left on, in order. */
export interface EnabledPlugins {
  readonly provider: AnyPlugin
  readonly extensions: readonly AnyPlugin[]
  readonly features: readonly AnyPlugin[]
  readonly tools: readonly AnyPlugin[]
}

/** The lists of a config that speak of plugins. */
export const ID_LISTS = ['enabled_plugins', 'disabled_plugins', 'force_enabled_plugins'] as const

export interface ResolveOptions {
  /** The config as one plugin may see it; by default the config itself. */
  readonly configOf?: (config: Config, plugin: AnyPlugin) => Config
  /** Models of a provider known beside those that its hook names, as from a cache. */
  readonly knownModels?: (provider: string) => readonly string[]
}
