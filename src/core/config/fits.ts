import { isObject, type JsonObject } from '@braidwork/plugin'

/** Whether a schema allows a single fixed value. */
export function isFixed(schema: unknown): boolean {
  return isObject(schema) && 'const' in schema
}

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
}

/** Whether a value is of a type of JSON Schema. */
export function isOfType(type: unknown, value: unknown): boolean {
  return TYPES[String(type)]?.(value) ?? false
}

/** Whether a value matches a schema roughly: by type, fixed values and required members. */
export function fits(schema: JsonObject, value: unknown): boolean {
  const { type, enum: values, const: fixed, properties, required } = schema
  if (fixed !== undefined && fixed !== value) return false
  if (Array.isArray(values) && !values.includes(value)) return false
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false
  if (!isObject(value)) return true
  const isWhole = !Array.isArray(required) || required.every((key) => Object.hasOwn(value, key))
  const known = isObject(properties) ? Object.entries(properties) : []
  const isRight = known.every(
    ([key, inner]) => !isFixed(inner) || !(key in value) || fits(inner as JsonObject, value[key]),
  )
  return isWhole && isRight
}
