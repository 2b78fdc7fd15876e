import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { referred } from '../config/index.ts'
import { isOf, TYPES } from './type-names.ts'

/**
 * Removes the nulls that a model wrote only because a strict schema required each member. A null is removed if the
 * tool's own schema does not require the member and does not allow null for it. In a union, the branches that match
 * the rest of the value decide.
 */
export function withoutNulls(schema: JsonObject, input: unknown): unknown {
  const holders = new Set<unknown>()
  return holdsNull(input, holders) ? cleaned({ root: schema, holders }, schema, input) : input
}

/** Whether a value contains null. Collects the lists and objects that do, in one pass. */
function holdsNull(value: unknown, holders: Set<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  let holds = false
  for (const inner of Object.values(value)) holds = holdsNull(inner, holders) || holds
  if (holds) holders.add(value)
  return holds
}

/** The whole schema, and the parts of the arguments that contain null. */
interface Reading {
  readonly root: JsonObject
  /** The lists and objects that contain null at any depth. */
  readonly holders: ReadonlySet<unknown>
}

function cleaned(reading: Reading, schema: unknown, value: unknown): unknown {
  if (!reading.holders.has(value)) return value
  const read: Read = { root: reading.root, value, fitting: new Map() }
  if (Array.isArray(value)) {
    const items = said(read, schema, itemsOf)
    return value.map((item) => cleaned(reading, items, item))
  }
  const known = namesIn(read, schema)
  const kept = Object.entries(value as JsonObject).flatMap(([name, inner]) => {
    const mayChange = known.has(name) && (inner === null || reading.holders.has(inner))
    if (!mayChange) return [[name, inner] as const]
    const own = said(read, schema, ({ properties }) => memberOf(properties, name))
    const isAbsent = inner === null && own !== undefined && standsForNone(read, schema, name)
    return isAbsent ? [] : [[name, cleaned(reading, own, inner)] as const]
  })
  return Object.fromEntries(kept)
}

/** The members that a schema names. The others stay unchanged, and there may be many. */
function namesIn(read: Read, schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  said(read, schema, ({ properties }) => {
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    return undefined
  })
  return names
}

/** Whether the null of a named member means that the member is absent. */
function standsForNone(read: Read, schema: unknown, name: string): boolean {
  if (isRequired(read, schema, name)) return false
  const taken = said(read, schema, ({ properties, additionalProperties }) => {
    const isClosed = additionalProperties === false
    return memberOf(properties, name) ?? (isClosed ? false : undefined)
  })
  return !takesNull(read.root, taken)
}

function memberOf(properties: unknown, name: string): unknown {
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
}

function itemsOf({ items, prefixItems }: JsonObject): unknown {
  const all = [items, prefixItems].flat().filter((one) => one !== undefined)
  return all.length > 0 ? { anyOf: all } : undefined
}

/** A value, and the root of the schema that it is read with. */
interface Read {
  readonly root: JsonObject
  readonly value: unknown
  /** For each union, the branches that the value matches. Kept, because each member needs them. */
  readonly fitting: Map<unknown, readonly unknown[]>
}

/** Combines everything that a schema, its references and its branches say about a part of a value into one schema. */
function said(
  read: Read,
  schema: unknown,
  select: (schema: JsonObject) => unknown,
  seen = new Set<unknown>(),
): unknown {
  if (!isObject(schema) || seen.has(schema)) return undefined
  seen.add(schema)
  const below = (one: unknown) => said(read, one, select, seen)
  const all = [
    select(schema),
    below(referred(read.root, schema['$ref'])),
    ...listIn(schema['allOf']).map(below),
  ]
  for (const key of ['anyOf', 'oneOf']) {
    const branches = branchesOf(read, schema[key]).map(below)
    const spoken = branches.filter((one) => one !== undefined)
    if (spoken.length > 0) all.push({ anyOf: spoken })
  }
  const given = all.filter((one) => one !== undefined)
  return given.length > 1 ? { allOf: given } : given[0]
}

/** Whether a member is required. If only branches mention it, all of them must require it. */
function isRequired(read: Read, schema: unknown, name: string, seen = new Set<unknown>()): boolean {
  if (!isObject(schema) || seen.has(schema)) return false
  seen.add(schema)
  const below = (one: unknown) => isRequired(read, one, name, seen)
  const isAlways = [referred(read.root, schema['$ref']), ...listIn(schema['allOf'])].some(below)
  const isInAll = ['anyOf', 'oneOf'].some((key) => {
    const branches = branchesOf(read, schema[key])
    return branches.length > 0 && branches.every(below)
  })
  return listIn(schema['required']).includes(name) || isAlways || isInAll
}

/** Whether a schema may allow null. Each is visited once, because references may form circles or multiply. */
function takesNull(
  root: JsonObject,
  schema: unknown,
  known = new Map<unknown, boolean>(),
): boolean {
  if (!isObject(schema)) return schema !== false
  const before = known.get(schema)
  if (before !== undefined) return before
  known.set(schema, false)
  const { type, enum: values, const: fixed, $ref: reference } = schema
  const takes = (one: unknown) => takesNull(root, one, known)
  const takesHere =
    (type === undefined || [type].flat().includes('null')) &&
    (values === undefined || listIn(values).includes(null)) &&
    (fixed === undefined || fixed === null) &&
    (reference === undefined || takes(referred(root, reference))) &&
    listIn(schema['allOf']).every(takes) &&
    ['anyOf', 'oneOf'].every((key) => schema[key] === undefined || listIn(schema[key]).some(takes))
  known.set(schema, takesHere)
  return takesHere
}

/** The branches of a union that a value matches. All of them if it matches none. */
function branchesOf({ root, value, fitting }: Read, union: unknown): readonly unknown[] {
  const known = fitting.get(union)
  if (known) return known
  const branches = listIn(union)
  const own = branches.filter((branch) => mayBe(root, branch, value))
  const found = own.length > 0 ? own : branches
  fitting.set(union, found)
  return found
}

/** Whether a value may match a schema. Compares only types, fixed values and member names, one level deep. */
function mayBe(root: JsonObject, schema: unknown, value: unknown, seen = new Set()): boolean {
  if (!isObject(schema) || seen.has(schema)) return schema !== false
  seen.add(schema)
  const fits = (one: unknown) => mayBe(root, one, value, seen)
  return (
    isOfKind(schema, value) &&
    (!isObject(value) || hasMembersOf(root, schema, value)) &&
    [referred(root, schema['$ref']), ...listIn(schema['allOf'])].every(fits) &&
    ['anyOf', 'oneOf'].every((key) => schema[key] === undefined || listIn(schema[key]).some(fits))
  )
}

/** Whether a value matches the schema's own type and fixed values. References and branches are ignored. */
function isOfKind({ type, enum: values, const: fixed }: JsonObject, value: unknown): boolean {
  const types = [type].flat()
  const isOfType = TYPES.some((name) => types.includes(name) && isOf(name, value))
  const isListed = listIn(values).some((one) => isDeepStrictEqual(one, value))
  return (
    (type === undefined || isOfType) &&
    (values === undefined || isListed) &&
    (fixed === undefined || isDeepStrictEqual(fixed, value))
  )
}

/** Whether an object has what the schema requires, and is allowed each member. A null may stand for an absent one. */
function hasMembersOf(root: JsonObject, schema: JsonObject, value: JsonObject): boolean {
  const { properties, additionalProperties, required } = schema
  if (!listIn(required).every((name) => Object.hasOwn(value, String(name)))) return false
  return Object.entries(value).every(([name, inner]) => {
    if (inner === null) return true
    const member = memberOf(properties, name)
    if (member === undefined) return additionalProperties !== false
    const own = referred(root, isObject(member) ? member['$ref'] : undefined) ?? member
    return !isObject(own) || isOfKind(own, inner)
  })
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
