import type { Config } from './config.ts'
import type { JsonObject } from './events/index.ts'
import type { HOOKS } from './hooks.ts'
import type { Kind } from './kinds.ts'
import type { StateKey } from './run-hooks.ts'
import type { HookSignatures, State } from './signatures.ts'
import type { VALUES } from './values.ts'

/** A value, or a function without arguments that returns it. */
export type Value<T> = T | (() => T)

type ToolSchemaFormat = 'json-schema' | 'openai-strict' | 'anthropic' | 'google'

interface ValueTypes {
  defaultEnabled: Value<boolean>
  providers: Value<readonly string[]>
  requiredTags: Value<readonly string[]>
  forbiddenTags: Value<readonly string[]>
  /** A JSON Schema, or a schema object of a library that can export JSON Schema (zod, arktype). */
  configSchema: Value<{ readonly [key: string]: unknown }> | { readonly '~standard': unknown }
  /** The only value whose function receives the config, because settings decide whether tool schemas are strict. */
  toolSchemaFormat: ToolSchemaFormat | ((config: Config) => ToolSchemaFormat)
  sections: Value<{ readonly [name: string]: JsonObject }>
  stateKeys: Value<{ readonly [key: string]: StateKey }>
  actions: Value<readonly string[]>
  effects: Value<readonly string[]>
}

/** The names of the members in a table that a kind of plugin may have. */
type Of<K extends Kind, Table extends { [name: string]: { readonly kinds: readonly Kind[] } }> = {
  [N in keyof Table]: K extends Table[N]['kinds'][number] ? N : never
}[keyof Table]

type Members<K extends Kind, Native, S extends object, Chunk> = {
  readonly kind: K
  readonly name: string
} & Partial<
  Pick<HookSignatures<K, Native, S, Chunk>, Of<K, typeof HOOKS>> &
    Pick<ValueTypes, Of<K, typeof VALUES>>
>

/** At least one of these members. */
type OneOf<T, K extends keyof T> = { [N in K]: { readonly [M in N]-?: T[M] } }[K]

/** Talks to a model API and owns the native format; it needs `call`, `stream`, or both. */
export type Provider<Native = unknown, S extends object = State, Chunk = unknown> = Members<
  'provider',
  Native,
  S,
  Chunk
> &
  OneOf<HookSignatures<'provider', Native, S, Chunk>, 'call' | 'stream'>

/** Changes requests and chunks of the providers that it works with. */
export type Extension<Native = unknown, S extends object = State, Chunk = unknown> = Members<
  'extension',
  Native,
  S,
  Chunk
>

/** Works with any provider. It has no hook that runs for each chunk. */
export type Feature<Native = unknown, S extends object = State> = Members<
  'feature',
  Native,
  S,
  unknown
>

/** Offers tools to the model and executes their calls. */
export type Tool<S extends object = State> = Members<'tool', unknown, S, unknown>

export type Plugin = Provider | Extension | Feature | Tool

/** A plugin of any kind, as the host holds it after the check at load. */
export interface AnyPlugin {
  readonly kind: Kind
  readonly name: string
  readonly [member: string]: unknown
}
