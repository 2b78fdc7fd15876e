import { HostError, isObject, type JsonObject, type StateKey } from '@braidwork/plugin'
import type { Declarations } from './declarations.ts'

/** The largest state of a run, as JSON, in characters. It is stored whenever it changes. */
const MOST_STATE = 262_144

/** What a feature wants to write. */
export interface StateUpdate {
  readonly plugin: string
  readonly values: JsonObject
}

/** The values of a run's state keys. A value is never changed in place. */
export class RunState {
  readonly #keys: Declarations['stateKeys']
  #values: JsonObject

  /** @param kept the values of an earlier leg; those of keys that no feature declares any more are dropped */
  constructor(keys: Declarations['stateKeys'], kept: JsonObject = {}) {
    this.#keys = keys
    const initial = [...keys].map(([key, { value }]) => [
      key,
      Object.hasOwn(kept, key) ? kept[key] : value.initial,
    ])
    this.#values = Object.freeze(Object.fromEntries(initial))
  }

  get values(): JsonObject {
    return this.#values
  }

  /** The keys of an update that only one hook of a batch may write. */
  exclusiveOf(values: JsonObject): readonly string[] {
    return Object.keys(values).filter((key) => ruleOf(this.#keys.get(key)?.value) === 'exclusive')
  }

  /** Says what is wrong with an update. Undefined if it can be merged. */
  faultOf({ plugin, values }: StateUpdate): string | undefined {
    for (const [key, value] of Object.entries(values)) {
      const owned = this.#keys.get(key)
      if (!owned) return `no feature declares the state key "${key}"`
      if (owned.plugin !== plugin && owned.value.shared !== true) {
        return `the state key "${key}" belongs to "${owned.plugin}", which does not share it`
      }
      if (!FITS[ruleOf(owned.value)](value)) return `"${key}" cannot be merged with its value`
    }
    return undefined
  }

  /** Merges updates in their order. @throws {HostError} HOOK_ANSWER_INVALID if the state gets too large */
  commit(updates: readonly StateUpdate[]): void {
    const values = { ...this.#values }
    for (const [key, value] of updates.flatMap((update) => Object.entries(update.values))) {
      values[key] = MERGED[ruleOf(this.#keys.get(key)?.value)](values[key], value)
    }
    if (JSON.stringify(values).length > MOST_STATE) {
      const plugins = updates.map(({ plugin }) => `"${plugin}"`).join(', ')
      const message = `With the updates of ${plugins}, the state of the run is larger than ${MOST_STATE} characters.`
      throw new HostError('HOOK_ANSWER_INVALID', message, { plugin: updates[0]?.plugin })
    }
    this.#values = Object.freeze(values)
  }
}

type Rule = NonNullable<StateKey['merge']>

const FITS: { readonly [R in Rule]: (value: unknown) => boolean } = {
  exclusive: () => true,
  sum: Number.isFinite,
  append: Array.isArray,
  assign: isObject,
}

/** The declarations and `FITS` have checked the values. */
const MERGED: { readonly [R in Rule]: (old: unknown, value: unknown) => unknown } = {
  exclusive: (_, value) => value,
  sum: (old, value) => Number(old) + Number(value),
  append: (old, value) => [old, value].flat(),
  assign: (old, value) => Object.assign({}, old, value),
}

function ruleOf(key: StateKey | undefined): Rule {
  return key?.merge ?? 'exclusive'
}
