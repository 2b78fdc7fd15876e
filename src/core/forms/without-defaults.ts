import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'

/**
 * A value that a form gave, to be written where the config has none: without what would be there anyway.
 * What an object needs is written, as that says which of several kinds it is; so is the whole of one whose
 * default is given whole.
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
