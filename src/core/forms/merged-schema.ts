import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { listIn } from '../config/index.ts'

/** The reason why a setting cannot be shown although two schemas name it. */
export type Unmerged = 'conflict' | 'union'

/** Is told the keys of each property that cannot be shown. */
export type NoteUnmerged = (keys: readonly string[], reason: Unmerged) => void

/** A value has one of each, so the first is taken. */
const WORDS = new Set('title description default examples'.split(' '))

const either = (one: unknown, other: unknown) => one === true || other === true
const ofNumbers =
  (choose: (one: number, other: number) => number) => (one: unknown, other: unknown) =>
    typeof one === 'number' && typeof other === 'number' ? choose(one, other) : undefined

/** How two values of a keyword become the one that allows what both allow. */
const JOINS: { readonly [keyword: string]: (one: unknown, other: unknown) => unknown } = {
  ...joinsOf('writeOnly readOnly deprecated uniqueItems', either),
  ...joinsOf('minimum exclusiveMinimum minLength minItems minProperties', ofNumbers(Math.max)),
  ...joinsOf('maximum exclusiveMaximum maxLength maxItems maxProperties', ofNumbers(Math.min)),
  required: (one, other) => [...new Set([...listIn(one), ...listIn(other)])],
  type: commonType,
}

function joinsOf(keywords: string, join: (one: unknown, other: unknown) => unknown) {
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, join]))
}

/**
 * Merges two plain schemas that a value must both match. Words of the first win. What cannot be merged stays in `allOf`;
 * its settings are noted.
 */
export function mergedSchema(
  first: JsonObject,
  second: JsonObject,
  note: NoteUnmerged,
): JsonObject {
  const { schema, conflicts } = merged(first, second, note)
  if (Object.keys(conflicts).length === 0) return schema
  const names = unionNames(conflicts).filter((name) => !(name in propertiesOf(schema)))
  for (const name of names) note([name], 'union')
  const unshown = Object.fromEntries(names.map((name) => [name, {}]))
  const properties = { ...propertiesOf(schema), ...unshown }
  return {
    ...schema,
    ...(names.length > 0 ? { properties } : {}),
    allOf: [...listIn(schema['allOf']), conflicts],
  }
}

interface Merged {
  readonly schema: JsonObject
  /** The keywords of the second schema that contradict those of the first. */
  readonly conflicts: JsonObject
}

const CONDITIONAL = new Set(['if', 'then', 'else'])

function merged(first: JsonObject, second: JsonObject, note: NoteUnmerged): Merged {
  const schema: Record<string, unknown> = { ...first }
  const conflicts: Record<string, unknown> = {}
  const { allOf, ...rest } = second
  const entries = Object.entries(rest).filter(([, value]) => value !== undefined)
  for (const [key, value] of entries.filter(([name]) => !CONDITIONAL.has(name))) {
    const both =
      key === 'properties'
        ? mergedProperties(first, second, note)
        : joinedKeyword(key, schema[key], value)
    if (both === undefined) conflicts[key] = value
    else schema[key] = both
  }
  // These keywords belong together, so they are never mixed with those of another schema.
  const given = entries.filter(([name]) => CONDITIONAL.has(name))
  const conditions = given.length > 0 ? [Object.fromEntries(given)] : []
  const parts = [...listIn(first['allOf']), ...listIn(allOf), ...conditions]
  return { schema: parts.length > 0 ? { ...schema, allOf: parts } : schema, conflicts }
}

/** The value of a keyword that allows what both values allow. Undefined if there is none. */
function joinedKeyword(key: string, one: unknown, other: unknown): unknown {
  if (one === undefined) return other
  if (WORDS.has(key) || isDeepStrictEqual(one, other)) return one
  return JOINS[key]?.(one, other)
}

function mergedProperties(first: JsonObject, second: JsonObject, note: NoteUnmerged): JsonObject {
  const properties: Record<string, unknown> = { ...propertiesOf(first) }
  for (const [name, value] of Object.entries(propertiesOf(second))) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    properties[name] =
      isObject(known) && isObject(value)
        ? mergedProperty(known, value, (keys, reason) => note([name, ...keys], reason))
        : value
  }
  return properties
}

function mergedProperty(first: JsonObject, second: JsonObject, note: NoteUnmerged): JsonObject {
  const { schema, conflicts } = merged(first, second, (keys, why) =>
    note(['properties', ...keys], why),
  )
  if (Object.keys(conflicts).length === 0) return schema
  note([], 'conflict')
  const isSecret = schema['writeOnly'] === true
  return { allOf: [first, second], ...(isSecret ? { writeOnly: true } : {}) }
}

/** The properties that stand only in the branches of a union. */
function unionNames({ anyOf, oneOf }: JsonObject): readonly string[] {
  const branches = [...listIn(anyOf), ...listIn(oneOf)].filter(isObject)
  return [...new Set(branches.flatMap((branch) => Object.keys(propertiesOf(branch))))]
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function commonType(one: unknown, other: unknown): unknown {
  const types = [one].flat()
  const others = [other].flat()
  const common = types.filter((type) => others.includes(type))
  const isWhole = types.includes('integer') !== others.includes('integer')
  if (isWhole && [...types, ...others].includes('number')) common.push('integer')
  return common.length > 1 ? common : common[0]
}
