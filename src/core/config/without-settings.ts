import type { JsonObject, Settings } from '@braidwork/plugin'
import { hasType } from './json-types.ts'

/** The settings of a plugin for which a config has none. */
export const NO_SETTINGS: Settings = Object.freeze({})

/** The keywords that may refuse an object without members. */
const REFUSING = [
  '$dynamicRef',
  '$ref',
  'allOf',
  'anyOf',
  'const',
  'enum',
  'if',
  'minProperties',
  'not',
  'oneOf',
  'required',
]

/** Whether a schema may refuse settings that a config does not have. For others, no validator has to be loaded. */
export function mayRefuseNone(schema: JsonObject): boolean {
  return !hasType(schema['type'], NO_SETTINGS) || REFUSING.some((key) => Object.hasOwn(schema, key))
}
