import { isObject } from '@braidwork/plugin'

/** Keywords whose values are data. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])
/** Deeper than any schema that can be used. */
const DEEPEST = 200
const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

type Json = { readonly [key: string]: unknown }

/**
 * A schema of an older draft in the words of 2020-12, which model APIs and the host understand: lists of items of
 * draft-07, and the flags `exclusiveMinimum` and `exclusiveMaximum` of draft-04. Other schemas stay as they are.
 */
export function newerSchema(schema: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return schema
  if (Array.isArray(schema)) return schema.map((item) => newerSchema(item, depth + 1))
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(withLimits(withTuples(schema))).map(([key, inner]) => [
      key,
      DATA.has(key) ? inner : newerSchema(inner, depth + 1),
    ]),
  )
}

function withTuples(schema: Json): Json {
  const { items, additionalItems, ...rest } = schema
  if (!Array.isArray(items) || 'prefixItems' in schema) return schema
  const others = additionalItems === undefined ? {} : { items: additionalItems }
  return { ...rest, prefixItems: items, ...others }
}

function withLimits(schema: Json): Json {
  let newer = schema
  for (const [flag, limit] of EXCLUSIVE) {
    if (typeof newer[flag] !== 'boolean') continue
    const { [flag]: isExclusive, [limit]: value, ...rest } = newer
    if (value === undefined) newer = rest
    else newer = { ...rest, [isExclusive === true ? flag : limit]: value }
  }
  return newer
}
