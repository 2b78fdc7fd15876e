import { type Config, HostError, isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import type { KnownConfig } from '@braidwork/plugin/internal'
import { ID_LISTS } from '../resolve/index.ts'
import { CHOICES } from './config-schema.ts'

/** A list of ids that replaces the list of the layer below, or changes it. */
export type IdList =
  | readonly string[]
  | { readonly add?: readonly string[]; readonly remove?: readonly string[] }

/** A config as a single layer contains it. */
export interface ConfigLayer extends Omit<KnownConfig, (typeof ID_LISTS)[number]> {
  readonly enabled_plugins?: IdList
  readonly disabled_plugins?: IdList
  readonly force_enabled_plugins?: IdList
  readonly [key: string]: unknown
}

/** The keys whose objects are merged instead of replaced, and to which depth. */
const MERGED: ReadonlyMap<string, number> = new Map([
  ['settings', 2],
  ['limits', 1],
  ['tool_names', 1],
  ['tool_policy', 1],
  ['agents', 2],
  ['models', 2],
])

/**
 * Merges layers into one config. Later layers win: top-level values by key, settings by plugin and key, the models
 * of a server by name and, in their configs, like layers. A list of ids replaces the one below, unless it is written as `{add, remove}`. CL-19
 */
export function mergeLayers(...layers: readonly ConfigLayer[]): Config {
  return layers.reduce<Config>((below, layer) => withLayer(below, layer), {})
}

/**
 * Combines layers into one layer. Changes (`{add, remove}`) to a list of ids stay changes. So merging the result over
 * any config is the same as merging the layers over it one by one.
 */
export function stackLayers(...layers: readonly ConfigLayer[]): ConfigLayer {
  return layers.reduce<ConfigLayer>((below, layer) => mergeBy(stackIds, below, layer), {})
}

/** Lays a layer over a config that is merged already. What the layer does not name stays the same object. */
export function withLayer(config: Config, layer: ConfigLayer): Config {
  return mergeBy(mergeIds, config, layer)
}

function mergeBy<Ids extends IdList>(
  idsOf: (below: Ids | undefined, layer: IdList) => Ids,
  below: { readonly [key: string]: unknown },
  layer: ConfigLayer,
): { readonly [key: string]: unknown } {
  const merged: Record<string, unknown> = { ...below }
  for (const [key, value] of Object.entries(layer)) {
    if (value === undefined) continue
    const isIdList = (ID_LISTS as readonly string[]).includes(key)
    merged[key] = isIdList
      ? idsOf(below[key] as Ids | undefined, value as IdList)
      : mergeKey(key, below[key], value)
  }
  return merged
}

function mergeKey(key: string, below: unknown, value: unknown): unknown {
  if (key === 'server' && isObject(below) && isObject(value)) return mergeServer(below, value)
  return mergeValue(below, value, MERGED.get(key) ?? 0)
}

/** Merges the parts `server` of two layers by key, and limits and models by key and name. */
function mergeServer(below: JsonObject, layer: JsonObject): JsonObject {
  const { models, limits, ...rest } = layer
  return {
    ...below,
    ...rest,
    ...(limits === undefined ? {} : { limits: mergeValue(below['limits'], limits, 1) }),
    ...(models === undefined ? {} : { models: mergeModels(below['models'], models) }),
  }
}

function mergeModels(below: unknown, models: unknown): unknown {
  if (!isObject(below) || !isObject(models)) return models
  const changed = Object.entries(models).map(([name, model]) => [
    name,
    Object.hasOwn(below, name) ? mergeModel(below[name], model) : model,
  ])
  return { ...below, ...Object.fromEntries(changed) }
}

/** The config of a published model is a layer itself, so that two of them are one layer over the other. */
function mergeModel(below: unknown, model: unknown): unknown {
  if (!isObject(below) || !isObject(model)) return model
  const { config: lower } = below
  const { config: upper } = model
  const isBoth = isObject(lower) && isObject(upper)
  return { ...below, ...model, ...(isBoth ? { config: stackLayers(lower, upper) } : {}) }
}

function mergeIds(below: readonly string[] = [], layer: IdList): readonly string[] {
  if (isIds(layer)) return layer
  const { add = [], remove = [] } = layer
  const kept = below.filter((id) => !remove.includes(id))
  return [...kept, ...add.filter((id) => !kept.includes(id))]
}

function stackIds(below: IdList = {}, layer: IdList): IdList {
  if (isIds(layer) || isIds(below)) return mergeIds(isIds(below) ? below : [], layer)
  return {
    add: mergeIds(below.add, layer),
    remove: [...new Set([...(below.remove ?? []), ...(layer.remove ?? [])])],
  }
}

function isIds(list: IdList): list is readonly string[] {
  return Array.isArray(list)
}

function mergeValue(below: unknown, value: unknown, depth: number): unknown {
  if (depth === 0 || !isObject(value)) return value
  const known = isObject(below) ? below : {}
  const merged: Record<string, unknown> = { ...known }
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) merged[key] = mergeValue(known[key], inner, depth - 1)
  }
  // Requests with equal layers share it.
  return Object.freeze(merged)
}

/** The environment variables of a process. */
export type Variables = { readonly [name: string]: string | undefined }

export interface FilledConfig<C> {
  readonly config: C
  /** The values that came from environment variables, but for choices. They count as secrets from then on. */
  readonly secrets: readonly string[]
}

const REFERENCE = /\$\{env:([^{}]*)\}/g

/** The names of the variables that a value refers to by `${env:NAME}`. Only texts refer to some. */
export function variablesIn(value: unknown): readonly string[] {
  return typeof value === 'string'
    ? [...value.matchAll(REFERENCE)].map(([, name = '']) => name)
    : []
}

/**
 * Fills in each `${env:NAME}` in a config's strings. Only for configs that are loaded, never for a request's config,
 * because its sender might not be allowed to read environment variables. CL-20
 * @param owner how the error names the config
 * @throws {HostError} ENV_MISSING, with a pointer to the key
 */
export function fillReferences<C>(
  config: C,
  variables: Variables,
  owner = 'The config',
): FilledConfig<C> {
  const secrets: string[] = []
  const fill = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'string') {
      const found: string[] = []
      const filled = value.replaceAll(REFERENCE, (_, name: string) => {
        found.push(lookUp(variables, name, { owner, pointer: pointerOf(path) }))
        return found.at(-1) ?? ''
      })
      // A text around a secret ("Bearer …") is as secret as the secret in it.
      const isSecret = found.some((text) => text !== '') && !CHOICES.has(filled)
      if (isSecret) secrets.push(...found, filled)
      return filled
    }
    if (Array.isArray(value)) return value.map((inner, index) => fill(inner, [...path, index]))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key])]),
    )
  }
  return { config: fill(config, []) as C, secrets: secrets.filter((text) => text !== '') }
}

function lookUp(
  variables: Variables,
  name: string,
  { owner, pointer }: { readonly owner: string; readonly pointer: string },
): string {
  const isKnown = name !== '' && Object.hasOwn(variables, name)
  const value = isKnown ? variables[name] : undefined
  if (value !== undefined) return value
  const fault =
    name === ''
      ? 'has "${env:}", which lacks the name of an environment variable.'
      : `refers to the environment variable "${name}", which is not set.`
  throw new HostError('ENV_MISSING', `${owner} at ${pointer} ${fault}`, { pointer })
}
