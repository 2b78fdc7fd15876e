import { isObject, type JsonObject } from '../../events/index.ts'

/** Several schemas of which one holds, as a form shows them. */
export interface Union {
  readonly branches: readonly JsonObject[]
  /** The property whose fixed values tell branches that are objects apart, and those values. */
  readonly discriminator?: { readonly key: string; readonly values: readonly unknown[] }
}

/** The branches of a schema that leaves a choice, each with what holds for all; nothing for others. */
export function unionOf(schema: JsonObject): Union | undefined {
  const { anyOf, oneOf, type, ...shared } = schema
  const listed = anyOf ?? oneOf
  if (Array.isArray(listed)) return listed.every(isFixed) ? undefined : joinedUnion(schema, listed)
  if (!Array.isArray(type)) return undefined
  return { branches: type.filter((one) => one !== 'null').map((one) => ({ ...shared, type: one })) }
}

/** The branch for a value: the one that it fits, else the first. */
export function branchFor({ branches, discriminator }: Union, value: unknown): JsonObject {
  const branch =
    branches.find((one) => value !== undefined && fits(one, value)) ?? branches[0] ?? {}
  if (!discriminator) return branch
  const { key, values } = discriminator
  const properties = branch['properties'] as JsonObject
  const { const: own, ...rest } = properties[key] as JsonObject
  return {
    ...branch,
    properties: { ...properties, [key]: { default: own, ...rest, enum: values } },
  }
}

/** Whether a schema is one value. */
export function isFixed(schema: unknown): boolean {
  return isObject(schema) && 'const' in schema
}

function joinedUnion(
  { anyOf: _, oneOf: __, ...shared }: JsonObject,
  listed: readonly JsonObject[],
): Union {
  const branches = listed
    .filter(({ type }) => type !== 'null')
    .map((branch) => joined(branch, shared))
  const discriminator = discriminatorOf(branches)
  return { branches, ...(discriminator ? { discriminator } : {}) }
}

/** A default of the whole is that of the branch that it fits. */
function joined(branch: JsonObject, { default: initial, ...shared }: JsonObject): JsonObject {
  const own = { ...branch, ...shared }
  return initial !== undefined && fits(branch, initial) ? { ...own, default: initial } : own
}

function discriminatorOf(branches: readonly JsonObject[]): Union['discriminator'] {
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
