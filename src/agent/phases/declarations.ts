import { type FeatureHooks, validatorOf } from '@braidwork/core/internal'
import { HostError, isObject, type JsonObject, type StateKey } from '@braidwork/plugin'
import { schemaBranch } from '../schema-branch.ts'

/** A key that a feature owns, with what it declares for the key. */
interface Owned<T> {
  readonly plugin: string
  readonly value: T
}

/** What the features of a config declare for runs, by key. AW-07 */
export interface Declarations {
  readonly stateKeys: ReadonlyMap<string, Owned<StateKey>>
  readonly sections: ReadonlyMap<string, Owned<JsonObject>>
  readonly actions: ReadonlyMap<string, Owned<true>>
  readonly effects: ReadonlyMap<string, Owned<true>>
}

const SCHEMAS: { readonly [N in keyof Declarations]: JsonObject } = {
  stateKeys: {
    type: 'object',
    properties: {
      merge: { enum: ['exclusive', 'sum', 'append', 'assign'] },
      initial: true,
      shared: { type: 'boolean' },
    },
    required: ['initial'],
    additionalProperties: false,
    allOf: [
      schemaBranch('merge', 'sum', { properties: { initial: { type: 'number' } } }),
      schemaBranch('merge', 'append', { properties: { initial: { type: 'array' } } }),
      schemaBranch('merge', 'assign', { properties: { initial: { type: 'object' } } }),
    ],
  },
  sections: { type: 'object' },
  actions: { const: true },
  effects: { const: true },
}

const NAMES = ['stateKeys', 'sections', 'actions', 'effects'] as const

const NONE: Declarations = {
  stateKeys: new Map(),
  sections: new Map(),
  actions: new Map(),
  effects: new Map(),
}

/**
 * Gathers what the features declare.
 * @throws {HostError} ENVIRONMENT_BUILD if a declaration is malformed, or if two features have the same key. AW-09
 */
export async function declarationsOf(features: FeatureHooks): Promise<Declarations> {
  if (!features.declares(NAMES)) return NONE
  return {
    stateKeys: await declared<StateKey>(features, 'stateKeys'),
    sections: await declared<JsonObject>(features, 'sections'),
    actions: await declared<true>(features, 'actions'),
    effects: await declared<true>(features, 'effects'),
  }
}

async function declared<T>(
  features: FeatureHooks,
  name: keyof Declarations,
): Promise<ReadonlyMap<string, Owned<T>>> {
  const owned = new Map<string, Owned<T>>()
  for (const { plugin, value: keys, member } of await features.declaring(name)) {
    const faultOf = await validatorOf(SCHEMAS[name])
    for (const [key, value] of entriesOf(keys)) {
      const known = owned.get(key)
      const own = faultOf(value)?.message
      const fault = known ? `"${known.plugin}" declares it too` : own && withMerge(own, value)
      if (fault !== undefined) throw buildFault(plugin, `"${key}" in "${member}": ${fault}`)
      owned.set(key, { plugin, value: value as T })
    }
  }
  return owned
}

/** The fault of an initial value that does not fit the merge rule of its key names the rule. */
function withMerge(fault: string, value: unknown): string {
  const { initial, merge } = isObject(value) ? value : {}
  const isOfInitial = initial !== undefined && fault.startsWith('"initial"')
  return isOfInitial && typeof merge === 'string' ? `${fault}, since "merge" is "${merge}"` : fault
}

function entriesOf(keys: unknown): readonly (readonly [key: string, value: unknown])[] {
  if (Array.isArray(keys)) return keys.map((key) => [String(key), true])
  return isObject(keys) ? Object.entries(keys) : []
}

function buildFault(plugin: string, fault: string): HostError {
  const message = `The feature "${plugin}" declares ${fault}. No run can use it so.`
  return new HostError('ENVIRONMENT_BUILD', message, { plugin })
}
