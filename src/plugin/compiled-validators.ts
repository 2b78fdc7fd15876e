import type { JsonObject } from './events/index.ts'

/** A validator that ajv compiled to code when a package was built. https://ajv.js.org/standalone.html */
export interface CompiledValidator {
  (value: unknown): boolean
  /** ajv's errors of the last call; null if the value was valid. */
  errors?: readonly object[] | null
}

type Load = () => Promise<CompiledValidator>

/** The key of what all copies of this package share: the built command contains one, and plugins import another. */
const VALIDATORS = Symbol.for('@braidwork/plugin validators')
const shared = globalThis as { [VALIDATORS]?: WeakMap<JsonObject, Load> }
shared[VALIDATORS] ??= new WeakMap()

/** Gives a schema the validator that was compiled from it, so that the host need not load ajv to check a value. */
export function registerValidator(schema: JsonObject, load: Load): void {
  shared[VALIDATORS]?.set(schema, load)
}

/** Returns the validator of exactly this schema object, if it has one. */
export function compiledValidator(schema: JsonObject): Load | undefined {
  return shared[VALIDATORS]?.get(schema)
}
