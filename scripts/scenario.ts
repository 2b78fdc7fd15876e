/** A scenario for the oracle: one line from `oracle.py generate`. */
export interface Scenario {
  readonly id: string
  readonly config: { readonly [key: string]: unknown }
  readonly messages: readonly CoreMessage[]
  readonly provider: Declared
  readonly plugins: readonly Declared[]
}

/** The declaration of a plugin. FORMAT.md of the oracle describes its fields. */
export interface Declared {
  readonly kind: 'provider' | 'extension' | 'feature' | 'tool'
  readonly name: string
  readonly default_enabled?: boolean
  readonly tags?: readonly string[]
  readonly tags_by_model?: { readonly [model: string]: string }
  readonly required_tags?: readonly string[]
  readonly forbidden_tags?: readonly string[]
  readonly is_enabled?: VerdictRule
  readonly models?: { readonly add?: readonly string[]; readonly remove?: readonly string[] }
  readonly words?: readonly string[]
  readonly early?: string
  readonly schemas?: readonly string[]
  readonly init?: object
  readonly edit?: string
  readonly system?: string
  readonly keep_last?: number
  readonly stamp?: string
  readonly chunk?: 'upper' | 'mute' | 'double' | 'count' | 'final'
}

/** When a declared plugin takes part, and what it answers otherwise. */
export interface VerdictRule {
  readonly tag?: string
  readonly model?: string
  readonly plugin?: string
  readonly config?: string
  readonly then: unknown
  readonly otherwise: unknown
}

/** A message of a scenario. */
export interface CoreMessage {
  readonly role: string
  readonly text: string
}
