import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { referred } from '../config/index.ts'
import { isOf, TYPES } from './type-names.ts'

/**
 * Arguments that a model wrote by a strict schema, as the tool's own schema means them: a null stands for a
 * member that is absent where the tool's schema does not require the member and does not take null. Of a
 * union those branches count that the rest of the value fits.
 */
export function withoutNulls(schema: JsonObject, input: unknown): unknown {
  const holders = new Set<unknown>()
  return holdsNull(input, holders) ? cleaned({ root: schema, holders }, schema, input) : input
}

/** Whether there is a null in a value; notes the lists and objects that have one, in one pass over it. */
function holdsNull(value: unknown, holders: Set<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  let holds = false
  for (const inner of Object.values(value)) holds = holdsNull(inner, holders) || holds
  if (holds) holders.add(value)
  return holds
}

/** All arguments of a call, and the whole schema that they are read by. */
interface Reading {
  readonly root: JsonObject
  /** The lists and objects that have a null somewhere. */
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

/** The members that a schema names; all others of a value stay unchanged, and there may be many. */
function namesIn(read: Read, schema: unknown): ReadonlySet<string> {
  const names = new Set<string>()
  said(read, schema, ({ properties }) => {
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    return undefined
  })
  return names
}

/** Whether the null of a member that the schema names says that there is no such member. */
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

/** A value, and the root of the schema that it is read by. */
interface Read {
  readonly root: JsonObject
  readonly value: unknown
  /** Of each union the branches that the value fits: each of its members asks for them. */
  readonly fitting: Map<unknown, readonly unknown[]>
}

/** What a schema, its references and its branches say of something below a value, as one schema. */
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

/** Whether a member is required, in all of the branches where there are such. */
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

/** Whether a schema may take null; asked once of each, for references may lead in circles or multiply. */
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

/** The branches of a union that a value fits; all where it fits none. */
function branchesOf({ root, value, fitting }: Read, union: unknown): readonly unknown[] {
  const known = fitting.get(union)
  if (known) return known
  const branches = listIn(union)
  const own = branches.filter((branch) => mayBe(root, branch, value))
  const found = own.length > 0 ? own : branches
  fitting.set(union, found)
  return found
}

/** Whether a value fits a schema, as far as types, fixed values and names of members tell, one level deep. */
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

/** By what a schema says of the value itself, its references and branches left out. */
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

/** A null may stand for a member that is absent. */
function hasMembersOf(root: JsonObject, schema: JsonObject, value: JsonObject): boolean {
  const { properties, additionalProperties } = schema
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
