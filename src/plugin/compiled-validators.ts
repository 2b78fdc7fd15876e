import type { JsonObject } from './events/index.ts'

/** A validator that ajv compiled to code when a package was built. https://ajv.js.org/standalone.html */
export interface CompiledValidator {
  (value: unknown): boolean
  /** ajv's errors of the last call; null if the value was valid. */
  errors?: readonly object[] | null
}

type Load = () => Promise<CompiledValidator>

/** The built command contains a copy of this package, and plugins import another one. */
const VALIDATORS = Symbol.for('@braidwork/plugin validators')

const shared = globalThis as { [VALIDATORS]?: WeakMap<JsonObject, Load> }

/** The validators that plugins registered, whichever copies of this package they import. */
const validators = shared[VALIDATORS] ?? new WeakMap<JsonObject, Load>()
shared[VALIDATORS] = validators

/** Gives a schema the validator that was compiled from it, so that the host need not load ajv to check a value. */
export function registerValidator(schema: JsonObject, load: Load): void {
  validators.set(schema, load)
}

/** Returns the validator of exactly this schema object, if it has one. */
export function compiledValidator(schema: JsonObject): Load | undefined {
  return validators.get(schema)
}
