import type { Settings } from './config.ts'
import type { JsonObject, JsonSchema } from './events/index.ts'
import type { Extension, Feature, Provider, Tool } from './plugin.ts'
import type { State } from './signatures.ts'

/** A JSON Schema of settings, or the schema object of a library such as zod or arktype. */
type SettingsSchema = JsonSchema | { readonly '~standard': unknown } | (() => JsonSchema)

/**
 * The type of `context.settings` for a `configSchema`. A JSON Schema must be written `as const`, unless a `define…`
 * function receives it. Parts of a schema that the type does not know are `unknown`.
 */
export type SettingsOf<Schema> = Schema extends { readonly '~standard': infer Standard }
  ? OutputOf<Standard>
  : Schema extends () => infer Made
    ? SettingsOf<Made>
    : Schema extends { readonly properties: object }
      ? Shown<ObjectOf<Schema>>
      : Settings

type OutputOf<Standard> = Standard extends { readonly types?: infer Types }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : Settings
  : Settings

/** Writes an intersection of objects as one object, as editors show it. */
type Shown<T> = { [K in keyof T]: T[K] }

type ValueOf<Schema> = Schema extends { readonly const: infer Only }
  ? Only
  : Schema extends { readonly enum: readonly (infer One)[] }
    ? One
    : Schema extends { readonly anyOf: readonly (infer One)[] }
      ? ValueOf<One>
      : Schema extends { readonly type: readonly (infer Name)[] }
        ? TypeNamed<Name, Schema>
        : Schema extends { readonly type: infer Name }
          ? TypeNamed<Name, Schema>
          : unknown

type TypeNamed<Name, Schema> = Name extends 'array'
  ? readonly (Schema extends { readonly items: infer Item } ? ValueOf<Item> : unknown)[]
  : Name extends 'object'
    ? Schema extends { readonly properties: object }
      ? Shown<ObjectOf<Schema>>
      : MapOf<Schema>
    : Name extends keyof Plain
      ? Plain[Name]
      : unknown

type Plain = { string: string; number: number; integer: number; boolean: boolean; null: null }

type MapOf<Schema> = Schema extends { additionalProperties: infer Value extends JsonObject }
  ? { readonly [key: string]: ValueOf<Value> }
  : JsonObject

/** A member is always there if it is required or has a default. */
type ObjectOf<Schema> = Schema extends { readonly properties: infer All }
  ? { readonly [K in keyof All as K extends Certain<Schema, All> ? K : never]: ValueOf<All[K]> } & {
      readonly [K in keyof All as K extends Certain<Schema, All> ? never : K]?: ValueOf<All[K]>
    }
  : JsonObject

type Certain<Schema, All> =
  | (Schema extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | { [K in keyof All]: All[K] extends { readonly default: unknown } ? K : never }[keyof All]

type With<Schema> = { readonly configSchema?: Schema }

/**
 * Returns a provider as it is. `context.settings` has the type of its `configSchema`, if that stands before the hooks. A
 * plugin with a type of its own for its state or for natives is better written with `satisfies`, and `SettingsOf`.
 */
export function defineProvider<const Schema extends SettingsSchema = JsonObject>(
  provider: With<Schema> & Provider<unknown, State, unknown, SettingsOf<Schema>>,
): Provider<unknown, State, unknown, SettingsOf<Schema>> {
  return provider
}

/** Returns an extension as it is; see {@link defineProvider}. */
export function defineExtension<const Schema extends SettingsSchema = JsonObject>(
  extension: With<Schema> & Extension<unknown, State, unknown, SettingsOf<Schema>>,
): Extension<unknown, State, unknown, SettingsOf<Schema>> {
  return extension
}

/** Returns a feature as it is; see {@link defineProvider}. */
export function defineFeature<const Schema extends SettingsSchema = JsonObject>(
  feature: With<Schema> & Feature<unknown, State, SettingsOf<Schema>>,
): Feature<unknown, State, SettingsOf<Schema>> {
  return feature
}

/** Returns a tool as it is; see {@link defineProvider}. */
export function defineTool<const Schema extends SettingsSchema = JsonObject>(
  tool: With<Schema> & Tool<State, SettingsOf<Schema>>,
): Tool<State, SettingsOf<Schema>> {
  return tool
}
