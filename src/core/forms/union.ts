import { isObject, type JsonObject } from '@braidwork/plugin'
import { fits, fixedAt, isFixed, listIn, meantBranch, tagsOf } from '../config/index.ts'
import { joinedChoices } from './joined-choices.ts'

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

/** The branch to show for a value: the first that matches, else the one that is meant, else the first of all. */
export function branchFor(union: Union, value: unknown): JsonObject {
  if (value === undefined) return union[0]?.shown ?? NONE
  const matching = union.find(({ schema }) => fits(schema, value))
  const schemas = union.map(({ schema }) => schema)
  const meant = matching?.schema ?? meantBranch(schemas, value, NONE)
  const branch = union.find(({ schema }) => schema === meant) ?? union[0]
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
    return joinedChoices(listed).flatMap((branch) => leavesOf(joined(branch, shared)))
  }
  const { type, ...rest } = shared
  const types = (type as readonly unknown[]).filter((one) => one !== 'null')
  return types.map((one) => ({ ...rest, type: one }))
}

/** A branch, or the branches of one that is a union itself. */
function leavesOf(branch: JsonObject): readonly JsonObject[] {
  return unionOf(branch)?.map(({ schema }) => schema) ?? [branch]
}

/** Where members with fixed values tell branches apart, each shown branch offers the values of the others too. */
function shownBranches(branches: readonly JsonObject[]): Union {
  const objects = branches.filter(({ properties }) => isObject(properties))
  return branches.map((schema) => ({
    schema,
    shown: objects.includes(schema) ? withChoices(schema, objects) : schema,
  }))
}

/** Offers the values of all branches for each tag, as far as the tags before it do not tell the branches apart. */
function withChoices(
  branch: JsonObject,
  branches: readonly JsonObject[],
  done: readonly string[] = [],
): JsonObject {
  const key = tagsOf(branches, NONE).find((one) => !done.includes(one))
  if (branches.length < 2 || key === undefined) return branch
  const own = new Set(fixedAt(branch, key, NONE))
  const kinds = branches.flatMap((one) => kindsAt(one, key))
  const isShared = kinds.every(({ value }) => own.has(value))
  const alike = branches.filter((one) => kindsAt(one, key).some(({ value }) => own.has(value)))
  return withChoices(isShared ? branch : withChoice(branch, key, kinds), alike, [...done, key])
}

function withChoice(shown: JsonObject, key: string, kinds: readonly KindKeys[]): JsonObject {
  const properties = membersOf(shown)
  const { const: _, enum: __, anyOf: ___, oneOf: ____, ...rest } = properties[key] as JsonObject
  const [initial] = fixedAt(shown, key, NONE) ?? []
  const values = [...new Set(kinds.map(({ value }) => value))]
  const keysOf = (value: unknown) => kinds.flatMap((one) => (one.value === value ? one.keys : []))
  const all = values.map((value) => ({ value, keys: [...new Set(keysOf(value))] }))
  const choice = { default: initial, ...rest, enum: values, [KIND_KEYS]: all }
  const required = [...new Set([...listIn(shown['required']), key])]
  return { ...shown, properties: { ...properties, [key]: choice }, required }
}

function kindsAt(branch: JsonObject, key: string): readonly KindKeys[] {
  const keys = Object.keys(membersOf(branch))
  return (fixedAt(branch, key, NONE) ?? []).map((value) => ({ value, keys }))
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
