import type { Config, Settings } from './config.ts'
import type { JsonSchema } from './events/index.ts'
import type { HOOKS } from './hooks.ts'
import type { Kind } from './kinds.ts'
import type { StateKey } from './run-hooks.ts'
import type { HookSignatures, State } from './signatures.ts'
import type { VALUES } from './values.ts'

/** A value, or a function without arguments that returns it. */
export type Value<T> = T | (() => T)

type ToolSchemaFormat = 'json-schema' | 'openai-strict' | 'anthropic' | 'google'

interface ValueTypes {
  /** Whether the plugin is a candidate without being named in the config. The default is true. */
  defaultEnabled: Value<boolean>
  /** The providers that the extension works with. The default is all. */
  providers: Value<readonly string[]>
  /** The plugin is off when one of these tags is missing. */
  requiredTags: Value<readonly string[]>
  /** The plugin is off when one of these tags is provided. */
  forbiddenTags: Value<readonly string[]>
  /** A JSON Schema, or a schema object of a library that can export JSON Schema (zod, arktype). */
  configSchema: Value<JsonSchema> | { readonly '~standard': unknown }
  /** The only value whose function receives the config, because settings decide whether tool schemas are strict. */
  toolSchemaFormat: ToolSchemaFormat | ((config: Config) => ToolSchemaFormat)
  /** The sections of an agent's spec that the feature claims: a JSON Schema for each name. */
  sections: Value<{ readonly [name: string]: JsonSchema }>
  /** The state keys of a run that the feature adds. */
  stateKeys: Value<{ readonly [key: string]: StateKey }>
  /** The keys of the scheduled actions that `handleAction` of the feature runs. */
  actions: Value<readonly string[]>
  /** The keys of the effects that `handleEffect` of the feature runs. */
  effects: Value<readonly string[]>
}

/** The names of the members in a table that a kind of plugin may have. */
type Of<K extends Kind, Table extends { [name: string]: { readonly kinds: readonly Kind[] } }> = {
  [N in keyof Table]: K extends Table[N]['kinds'][number] ? N : never
}[keyof Table]

type Members<K extends Kind, S extends object, Own, Native = unknown, Chunk = unknown> = {
  readonly kind: K
  /** The plugin's id, unique in a host. */
  readonly name: string
} & Partial<
  Pick<HookSignatures<K, Native, S, Chunk, Own>, Of<K, typeof HOOKS>> &
    Pick<ValueTypes, Of<K, typeof VALUES>>
>

/** At least one of these members. */
type OneOf<T, K extends keyof T> = { [N in K]: { readonly [M in N]-?: T[M] } }[K]

/** Talks to a model API and owns the native format; it needs `call`, `stream`, or both. */
export type Provider<
  Native = unknown,
  S extends object = State,
  Chunk = unknown,
  Own = Settings,
> = Members<'provider', S, Own, Native, Chunk> &
  OneOf<HookSignatures<'provider', Native, S, Chunk, Own>, 'call' | 'stream'>

/** Changes requests and chunks of the providers that it works with. `Own` is the type of its settings. */
export type Extension<
  Native = unknown,
  S extends object = State,
  Chunk = unknown,
  Own = Settings,
> = Members<'extension', S, Own, Native, Chunk>

/** Works with any provider. It has no hook that runs for each chunk. */
export type Feature<Native = unknown, S extends object = State, Own = Settings> = Members<
  'feature',
  S,
  Own,
  Native
>

/** Offers tools to the model and executes their calls. */
export type Tool<S extends object = State, Own = Settings> = Members<'tool', S, Own>

/** A plugin of any kind, with types of its own for natives, state, chunks and settings. They may be interfaces. */
export type Plugin =
  | Provider<unknown, object, unknown, object>
  | Extension<unknown, object, unknown, object>
  | Feature<unknown, object, object>
  | Tool<object, object>

/** A plugin of any kind, as the host holds it after the check at load. */
export interface AnyPlugin {
  readonly kind: Kind
  readonly name: string
  readonly [member: string]: unknown
}
