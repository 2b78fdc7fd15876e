import { isObject, type JsonObject } from '@braidwork/plugin'
import { fits, isFixed } from '../config/index.ts'

/** One of several alternative schemas, and the schema with which a form shows it. */
interface Branch {
  readonly schema: JsonObject
  readonly shown: JsonObject
}

/** Alternative schemas, one of which matches the value. */
export type Union = readonly Branch[]

const unions = new WeakMap<JsonObject, Union>()
const NONE: JsonObject = Object.freeze({})

/**
 * The branches of a union, each joined with the keywords beside the union. Undefined for any other schema. The same
 * schema always gives the same objects.
 */
export function unionOf(schema: JsonObject): Union | undefined {
  const { anyOf, oneOf, type } = schema
  const listed = anyOf ?? oneOf
  if (!Array.isArray(listed) && !Array.isArray(type)) return undefined
  if (Array.isArray(listed) && listed.every(isFixed)) return undefined
  const union = unions.get(schema) ?? shownBranches(branchesOf(schema))
  unions.set(schema, union)
  return union
}

/** The branch to show for a value: the first that matches, else the first of all. */
export function branchFor(union: Union, value: unknown): JsonObject {
  const branch = union.find(({ schema }) => value !== undefined && fits(schema, value)) ?? union[0]
  return branch?.shown ?? NONE
}

/** Whether a schema names null as a value. */
export function isNullable({ type, enum: values, anyOf, oneOf }: JsonObject): boolean {
  const branches = [anyOf, oneOf].filter(Array.isArray).flat().filter(isObject)
  const isNull = (branch: JsonObject) => branch['type'] === 'null' || branch['const'] === null
  const named = [type, values].filter(Array.isArray).flat()
  return named.includes('null') || named.includes(null) || branches.some(isNull)
}

const withoutDefaults = new WeakMap<JsonObject, JsonObject>()

/** A schema without its default. The same schema always gives the same object. */
export function withoutDefault(schema: JsonObject): JsonObject {
  const { default: _, ...rest } = schema
  const known = withoutDefaults.get(schema) ?? rest
  withoutDefaults.set(schema, known)
  return known
}

function branchesOf({ anyOf, oneOf, ...shared }: JsonObject): readonly JsonObject[] {
  const listed = anyOf ?? oneOf
  if (Array.isArray(listed)) {
    const branches = (listed as readonly JsonObject[]).filter(({ type }) => type !== 'null')
    return branches.map((branch) => joined(branch, shared))
  }
  const { type, ...rest } = shared
  const types = (type as readonly unknown[]).filter((one) => one !== 'null')
  return types.map((one) => ({ ...rest, type: one }))
}

/** If a property with a fixed value identifies the branches, each shown branch offers the values of all of them. */
function shownBranches(branches: readonly JsonObject[]): Union {
  const discriminator = discriminatorOf(branches)
  if (!discriminator) return branches.map((schema) => ({ schema, shown: schema }))
  const { key, values } = discriminator
  const kinds = branches.map(({ properties }, at): KindKeys => {
    return { value: values[at], keys: Object.keys(properties as JsonObject) }
  })
  return branches.map((schema) => {
    const properties = schema['properties'] as JsonObject
    const { const: own, ...rest } = properties[key] as JsonObject
    const choice = { default: own, ...rest, enum: values, [KIND_KEYS]: kinds }
    const needed = Array.isArray(schema['required']) ? (schema['required'] as string[]) : []
    const required = [...new Set([...needed, key])]
    return { schema, shown: { ...schema, properties: { ...properties, [key]: choice }, required } }
  })
}

/** A keyword beside the choice of a branch: the keys of each branch. */
const KIND_KEYS = 'x-kind-keys'

interface KindKeys {
  readonly value: unknown
  readonly keys: readonly string[]
}

/** The keywords that `keysGone` reads in the schema of a choice between branches. Undefined for any other schema. */
export function kindsOf({ default: initial, [KIND_KEYS]: kinds }: JsonObject) {
  return kinds === undefined ? undefined : { default: initial, [KIND_KEYS]: kinds }
}

/** The keys that the old branch has and the new one does not, when a choice of branches changes. */
export function keysGone(
  choice: JsonObject,
  before: unknown = choice['default'],
  after: unknown = choice['default'],
): readonly string[] {
  const kinds = choice[KIND_KEYS] as readonly KindKeys[] | undefined
  const [from, to] = [before, after].map((value) => kinds?.find((kind) => kind.value === value))
  return from && to ? from.keys.filter((key) => !to.keys.includes(key)) : []
}

/** Joins a branch with the keywords beside the union. A default goes to the branch that it matches. */
function joined(branch: JsonObject, { default: initial, ...shared }: JsonObject): JsonObject {
  const own = { ...branch, ...shared, ...bothMembers(branch, shared) }
  return initial !== undefined && fits(branch, initial) ? { ...own, default: initial } : own
}

/** The members that the branch and the schema around the union name. */
function bothMembers(branch: JsonObject, shared: JsonObject): JsonObject {
  const properties = { ...membersOf(shared), ...membersOf(branch) }
  const required = [
    ...new Set([shared['required'], branch['required']].filter(Array.isArray).flat()),
  ]
  return {
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

function membersOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

/** The property whose fixed values identify the branches, and those values. Undefined if there is none. */
function discriminatorOf(
  branches: readonly JsonObject[],
): { readonly key: string; readonly values: readonly unknown[] } | undefined {
  const maps = branches.map(({ properties }) => properties)
  const [first] = maps
  if (branches.length < 2 || !isObject(first)) return undefined
  for (const key of Object.keys(first)) {
    const fixed = maps.map((map) => (isObject(map) && isFixed(map[key]) ? map[key] : undefined))
    const values = fixed.map((schema) => (schema as JsonObject | undefined)?.['const'])
    if (!fixed.includes(undefined) && new Set(values).size === values.length) return { key, values }
  }
  return undefined
}
