import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'

/**
 * Removes the values from a form's answer that equal their defaults, so that they are not written into the config.
 * Required members stay, because they may say which of several kinds an object is. An object whose schema has a default
 * for the whole object stays complete.
 */
export function withoutDefaults(value: unknown, schema: JsonObject | undefined): unknown {
  if (!isObject(value) || !schema || schema['default'] !== undefined) return value
  const { properties, required } = schema
  const known = isObject(properties) ? properties : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const entries = Object.entries(value).flatMap(([key, given]) => {
    const inner = Object.hasOwn(known, key) ? known[key] : undefined
    if (!isObject(inner)) return [[key, given] as const]
    const written = withoutDefaults(given, inner)
    return !needed.includes(key) && isThereAnyway(written, inner) ? [] : [[key, written] as const]
  })
  return Object.fromEntries(entries)
}

function isThereAnyway(value: unknown, { default: initial, properties }: JsonObject): boolean {
  if (initial !== undefined) return isDeepStrictEqual(value, initial)
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && isObject(properties) && Object.keys(value).length === 0
}
