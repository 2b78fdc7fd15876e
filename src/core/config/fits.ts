import { isObject, type JsonObject } from '@braidwork/plugin'
import { hasType } from './json-types.ts'

/** Whether a schema allows a single fixed value. */
export function isFixed(schema: unknown): boolean {
  return isObject(schema) && 'const' in schema
}

/** Whether a value matches a schema roughly: by type, allowed values and required members. */
export function fits(schema: JsonObject, value: unknown): boolean {
  const { type, enum: values, const: fixed, properties, required } = schema
  if (fixed !== undefined && fixed !== value) return false
  if (Array.isArray(values) && !values.includes(value)) return false
  if (!hasType(type, value) || !isListed(schema, value)) return false
  if (!isObject(value)) return true
  const isWhole = !Array.isArray(required) || required.every((key) => Object.hasOwn(value, key))
  const known = isObject(properties) ? Object.entries(properties) : []
  const isRight = known.every(
    ([key, inner]) =>
      !namesValues(inner) || !Object.hasOwn(value, key) || fits(inner as JsonObject, value[key]),
  )
  return isWhole && isRight
}

function namesValues(schema: unknown): boolean {
  return isFixed(schema) || (isObject(schema) && Array.isArray(schema['enum']))
}

/** Whether a schema that lists fixed values as alternatives has this one among them. True for any other schema. */
function isListed({ oneOf, anyOf }: JsonObject, value: unknown): boolean {
  const listed: unknown = oneOf ?? anyOf
  if (!Array.isArray(listed) || !listed.every(isFixed)) return true
  return listed.some((one) => isObject(one) && one['const'] === value)
}
