import type { Reasoned } from '../reasons/index.ts'

/** The kinds of plugins, in the order of a chain. */
export const KINDS = ['provider', 'feature', 'extension', 'tool'] as const
export type Kind = (typeof KINDS)[number]

/** The rules that turn a plugin on or off. */
export const RULES = [
  'provider',
  'forced',
  'own verdict',
  'tags',
  'missing tags',
  'forbidden tags',
  'off by default',
  'disabled',
  'other provider',
  'threw',
] as const
export type Rule = (typeof RULES)[number]

/** A tag that a plugin requires or forbids, in the round that judged the plugin. */
export interface ExplainedTag {
  readonly tag: string
  readonly need: 'required' | 'forbidden'
  readonly present: boolean
  readonly providedBy: readonly string[]
  /** The plugins that would provide the tag, but are off. */
  readonly wouldBeProvidedBy: readonly string[]
}

/** One edit of a config. */
export type Edit =
  | {
      readonly edit: 'add'
      readonly list: 'enabled_plugins' | 'disabled_plugins'
      readonly plugin: string
    }
  | { readonly edit: 'remove'; readonly list: 'disabled_plugins'; readonly plugin: string }
  | { readonly edit: 'set'; readonly key: 'model'; readonly model: string }
  | {
      readonly edit: 'set'
      readonly key: 'provider'
      readonly provider: string
      readonly model?: string
    }

/** Why no change turns a plugin on. */
export interface Obstacle {
  readonly rule: Rule
  readonly tags: readonly string[]
  /** The required tags that no plugin provides. */
  readonly unprovided: readonly string[]
  /** JSON pointers of the config values that the plugin's own verdict reads. */
  readonly reads: readonly string[]
}

/** A plugin as `GET /api/explain` explains it. */
export interface Explained extends Reasoned {
  readonly plugin: string
  readonly kind: Kind
  readonly on: boolean
  /** The last round that judged the plugin; 0 if it was never a candidate. */
  readonly round: number
  readonly rule: Rule
  readonly tags: readonly ExplainedTag[]
  /** All smallest sets of edits that turn the plugin on. */
  readonly change: readonly (readonly Edit[])[] | null
  readonly obstacle?: Obstacle
  /** Present if the search ended early: the number of edits up to which it was complete. */
  readonly searched?: number
}

/** A tool as `GET /api/tools?all` lists it. */
export interface Tool extends Reasoned {
  readonly tool_name: string
  readonly plugin?: string
  readonly description?: string
  readonly safety: { readonly is_read_only?: boolean; readonly is_destructive?: boolean }
  readonly policy: 'allowed' | 'ask' | 'denied' | 'unavailable'
  readonly offered: boolean
}

/** Whether a plugin is on, was judged and is off, or was never a candidate. */
export type State = 'on' | 'blocked' | 'off'

/** Those that are on come first, those that no rule judged come last. */
export const STATES: readonly State[] = ['on', 'blocked', 'off']

export function stateOf({ on, round }: Pick<Explained, 'on' | 'round'>): State {
  if (on) return 'on'
  return round > 0 ? 'blocked' : 'off'
}
