import type { JsonObject } from '@braidwork/plugin'
import { enumOf } from './schema.ts'

/** The limits that a schema sets for a number, or for a text's length. */
export interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: unknown
  readonly pattern?: unknown
}

/** Whether a value matches a schema. Some keywords are not checked, and no text matches a schema with a `pattern`. */
export function fits(value: unknown, schema: JsonObject): boolean {
  const allowed = enumOf(schema)
  if (allowed) return allowed.includes(value)
  if (!isOfType(value, schema['type'])) return false
  if (typeof value === 'number') return isWithin(value, schema)
  return typeof value !== 'string' || isText(value, schema)
}

const FORMATS: ReadonlyMap<unknown, RegExp> = new Map([
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/],
  ['time', /^\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/],
  ['email', /^[^\s@]{1,64}@[^\s@.]{1,60}\.[^\s@]{1,100}$/],
  ['uri', /^[a-z][a-z0-9+.-]{0,20}:[^\s]{1,2000}$/i],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
])

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === undefined) return true
  return [type].flat().some((name) => TYPES[String(name)]?.(value) === true)
}

function isWithin(value: number, schema: Bounds): boolean {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, multipleOf } = schema
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema
  const isBetween = value >= minimum && value <= maximum
  const isInside = value > exclusiveMinimum && value < exclusiveMaximum
  return isBetween && isInside && (multipleOf === undefined || isMultiple(value, multipleOf))
}

/** Whether a number is a multiple of another one, as far as the digits that floats have: 0.3 / 0.1 is not quite 3. */
function isMultiple(value: number, step: number): boolean {
  return Number.isInteger(Number((value / step).toPrecision(15)))
}

function isText(value: string, schema: Bounds): boolean {
  const { minLength = 0, maxLength = Infinity, format, pattern } = schema
  const { length } = Array.from(value)
  const isLong = length >= minLength && length <= maxLength
  // Patterns are never evaluated: a malicious one could block the process.
  return isLong && pattern === undefined && (FORMATS.get(format)?.test(value) ?? true)
}
