import { isObject, type JsonObject } from '@braidwork/plugin'

/** One of several schemas, and how a form shows it. */
interface Branch {
  readonly schema: JsonObject
  readonly shown: JsonObject
}

/** Several schemas of which one holds. */
export type Union = readonly Branch[]

const unions = new WeakMap<JsonObject, Union>()
const NONE: JsonObject = Object.freeze({})

/**
 * The branches of a schema that leaves a choice, each with what holds for all; nothing for others. The same
 * objects for the same schema.
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

/** The branch for a value, as it is shown: the one that it fits, else the first. */
export function branchFor(union: Union, value: unknown): JsonObject {
  const branch = union.find(({ schema }) => value !== undefined && fits(schema, value)) ?? union[0]
  return branch?.shown ?? NONE
}

/** Whether a schema is one value. */
export function isFixed(schema: unknown): boolean {
  return isObject(schema) && 'const' in schema
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

/** Branches that are told apart by a property with a fixed value offer the values of all. */
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

/** Beside the choice of a branch: the keys that an object has by each of its values. */
const KIND_KEYS = 'x-kind-keys'

interface KindKeys {
  readonly value: unknown
  readonly keys: readonly string[]
}

/** What a choice of branches says of their keys; nothing for other schemas. */
export function kindsOf({ default: initial, [KIND_KEYS]: kinds }: JsonObject) {
  return kinds === undefined ? undefined : { default: initial, [KIND_KEYS]: kinds }
}

/** The keys beside a choice of branches that the branch before has, and the one after has not. */
export function keysGone(
  choice: JsonObject,
  before: unknown = choice['default'],
  after: unknown = choice['default'],
): readonly string[] {
  const kinds = choice[KIND_KEYS] as readonly KindKeys[] | undefined
  const [from, to] = [before, after].map((value) => kinds?.find((kind) => kind.value === value))
  return from && to ? from.keys.filter((key) => !to.keys.includes(key)) : []
}

/** A default of the whole is that of the branch that it fits. */
function joined(branch: JsonObject, { default: initial, ...shared }: JsonObject): JsonObject {
  const own = { ...branch, ...shared }
  return initial !== undefined && fits(branch, initial) ? { ...own, default: initial } : own
}

/** The property whose fixed values tell branches that are objects apart, and those values. */
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

const TYPES: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
  null: (value) => value === null,
}

/** Whether a value looks like one of a schema: type, fixed values, and what an object must have. */
export function fits(schema: JsonObject, value: unknown): boolean {
  const { type, enum: values, const: fixed, properties, required } = schema
  if (fixed !== undefined && fixed !== value) return false
  if (Array.isArray(values) && !values.includes(value)) return false
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type]
  if (types.length > 0 && !types.some((one) => TYPES[String(one)]?.(value))) return false
  if (!isObject(value)) return true
  const isWhole = !Array.isArray(required) || required.every((key) => Object.hasOwn(value, key))
  const known = isObject(properties) ? Object.entries(properties) : []
  const isRight = known.every(
    ([key, inner]) => !isFixed(inner) || !(key in value) || fits(inner as JsonObject, value[key]),
  )
  return isWhole && isRight
}
