import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '@braidwork/plugin'
import { hasType } from './json-types.ts'
import { referred } from './secret-marks.ts'

/** The most references and alternatives behind each other: those of a schema may form circles. */
const DEEPEST = 20

/** The branches of a union, with those of a branch that is only a union itself. */
export function branchesOf(
  schemas: unknown,
  root: JsonObject,
  open: ReadonlySet<unknown> = new Set(),
) {
  if (!Array.isArray(schemas) || open.has(schemas)) return []
  return schemas.flatMap((one): readonly JsonObject[] => {
    const schema = resolved(one, root)
    const { anyOf, oneOf, type, properties, allOf } = schema ?? {}
    const nested = anyOf ?? oneOf
    if (!schema || !nested || type || properties || allOf) return schema ? [schema] : []
    return branchesOf(nested, root, new Set([...open, schemas]))
  })
}

/** The schema that checks a value, for one that only refers to it. */
function resolved(schema: unknown, root: JsonObject, hops = 0): JsonObject | undefined {
  if (!isObject(schema) || hops > DEEPEST) return undefined
  const { $ref, allOf, properties } = schema
  if (properties !== undefined) return schema
  const [only, ...others] = Array.isArray(allOf) ? (allOf as readonly unknown[]) : []
  const target = referred(root, $ref) ?? (others.length === 0 ? only : undefined)
  return resolved(target, root, hops + 1) ?? schema
}

/** Whether a value has the type of a branch, or that of one of its fixed values. */
export function mayHold(branch: JsonObject, value: unknown, root: JsonObject): boolean {
  const fixed = fixedValues(branch, root)
  if (fixed) return fixed.some((one) => typeof one === typeof value)
  return hasType(branch['type'], value)
}

/** The only values that a schema allows, if it names them. */
export function fixedValues(
  given: unknown,
  root: JsonObject,
  depth = 0,
): readonly unknown[] | undefined {
  const schema = depth > DEEPEST ? undefined : resolved(given, root)
  if (!schema) return undefined
  if ('const' in schema) return [schema['const']]
  if (Array.isArray(schema['enum'])) return schema['enum'] as readonly unknown[]
  const nested = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(nested)) return undefined
  const each = nested.map((one) => fixedValues(one, root, depth + 1))
  return each.includes(undefined) ? undefined : each.flatMap((values) => values ?? [])
}

/** The branches of a union that the tags of a value leave, and the tag that rules out all of them. */
export interface ByTags {
  readonly left: readonly JsonObject[]
  readonly wrong?: { readonly key: string; readonly values: readonly unknown[] }
}

/**
 * The branches that are left by the tags of a value: the members whose allowed values each branch names, such as a
 * `kind`. Those that are left may have further tags. A tag that the value lacks is wrong if each branch requires it, with
 * another value.
 */
export function byTags(branches: readonly JsonObject[], data: unknown, root: JsonObject): ByTags {
  const value = isObject(data) ? data : {}
  for (const key of branches.length > 1 ? tagsOf(branches, root) : []) {
    const values = branches.map((branch) => fixedAt(branch, key, root) ?? [])
    const wrong = { key, values: values.flat() }
    if (!Object.hasOwn(value, key)) {
      if (branches.every((branch) => isRequired(branch, key)) && !values.every(isLike(values[0])))
        return { left: branches, wrong }
      continue
    }
    const left = branches.filter((_, at) => values[at]?.some(isLike(value[key])))
    if (left.length === 0) return { left, wrong }
    if (left.length < branches.length) return byTags(left, value, root)
  }
  return { left: branches }
}

/**
 * The branch that a value is meant for, although it may not match it: of those with the type of the value and with its
 * tags, the one that has most of its members. Undefined if no branch is like the value.
 */
export function meantBranch(
  branches: readonly JsonObject[],
  value: unknown,
  root: JsonObject,
): JsonObject | undefined {
  const alike = branches.filter((branch) => mayHold(branch, value, root))
  const keys = isObject(value) ? Object.keys(value) : []
  const known = (branch: JsonObject) => {
    const maps = partsOf(branch, root).map(({ properties }) => properties ?? {})
    return keys.filter((key) => maps.some((map) => Object.hasOwn(map, key))).length
  }
  const { left } = byTags(alike, value, root)
  return (left.length > 0 ? left : alike).toSorted((a, b) => known(b) - known(a))[0]
}

/** The members whose allowed values each branch names; first those that no two branches share a value of. */
export function tagsOf(branches: readonly JsonObject[], root: JsonObject): readonly string[] {
  const [first] = branches
  const parts = first ? partsOf(first, root) : []
  const keys = [...new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const tags = keys.flatMap((key) => {
    const values = branches.map((branch) => fixedAt(branch, key, root))
    const all = values.flatMap((one) => one ?? [])
    return values.includes(undefined) ? [] : [{ key, isApart: new Set(all).size === all.length }]
  })
  return tags.toSorted((a, b) => Number(b.isApart) - Number(a.isApart)).map(({ key }) => key)
}

/** The only values that a branch allows for a member, if it names them. */
export function fixedAt(branch: JsonObject, key: string, root: JsonObject) {
  const maps = partsOf(branch, root).map(({ properties }) => properties)
  const holder = maps.filter(isObject).find((map) => Object.hasOwn(map, key))
  return fixedValues(holder?.[key], root)
}

/** Whether a value equals another one. */
export const isLike = (value: unknown) => (other: unknown) => isDeepStrictEqual(value, other)

/** A schema and those that its `allOf` joins with it. */
function partsOf(branch: JsonObject, root: JsonObject): readonly JsonObject[] {
  const { allOf } = branch
  const joined: readonly unknown[] = Array.isArray(allOf) ? allOf : []
  return [branch, ...joined.map((one) => resolved(one, root)).filter((one) => one !== undefined)]
}

function isRequired({ required }: JsonObject, key: string): boolean {
  return Array.isArray(required) && required.includes(key)
}
