import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import type { ErrorObject } from 'ajv'
import { listed } from '../suggest.ts'
import { hasType } from './json-types.ts'
import { schemasAt } from './schemas-at.ts'
import { pointerPath, referred } from './secret-marks.ts'

/** An error of ajv. That of a union has those of its branches. */
export interface Failure {
  readonly error: ErrorObject
  readonly inner: readonly Failure[]
  /** The length of the longest path of a value that it or an inner one is about. */
  readonly depth: number
}

/** A union that no branch matches, and the schema that contains it. */
export interface FailedUnion extends Failure {
  readonly root: JsonObject
}

/** The failures of the branch that is meant, or else the pointer and the requirement that no branch finds met. */
export type Reduced =
  | { readonly failures: readonly Failure[] }
  | { readonly pointer: string; readonly requirement: string }

/** The most references and alternatives behind each other: those of a schema may form circles. */
const DEEPEST = 20

export function isUnion({ error: { keyword } }: Failure): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** Puts the errors of branches into those of their unions. ajv adds the error of a union after those of its branches. */
export function failuresOf(errors: readonly ErrorObject[], root: JsonObject): readonly Failure[] {
  const open: Failure[] = []
  for (const error of errors) {
    const own = { error, inner: [], depth: error.instancePath.split('/').length }
    const inner: Failure[] = []
    for (let last = open.at(-1); last && isUnion(own); last = open.at(-1)) {
      if (!isFrom(error.schema, last, { ...own, root })) break
      open.pop()
      inner.push(last)
    }
    open.push({ ...own, inner: inner.reverse(), depth: Math.max(own.depth, depthOf(inner)) })
  }
  return open
}

function depthOf(failures: readonly Failure[]): number {
  return failures.reduce((most, { depth }) => Math.max(most, depth), 0)
}

/** Reduces the errors of a union to those of the branch that the value is most likely meant for. */
export function reduced(union: FailedUnion): Reduced {
  const { error, root } = union
  const pointer = error.instancePath
  if ((error.params as { passingSchemas?: unknown }).passingSchemas)
    return { pointer, requirement: 'must match only one of its alternatives, and matches several' }
  const branches = branchesOf(error.schema, root)
  const isPart = isObject(error.data) || Array.isArray(error.data)
  const fitting = branches.filter((branch) => mayHold(branch, error.data, root))
  if (!isPart || fitting.length === 0) return { pointer, requirement: unmet(branches, union) }
  return byTag(fitting, union)
}

/** The branches of a union, with those of a branch that is only a union itself. */
function branchesOf(schemas: unknown, root: JsonObject, open: ReadonlySet<unknown> = new Set()) {
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

function mayHold(branch: JsonObject, value: unknown, root: JsonObject): boolean {
  const fixed = fixedValues(branch, root)
  if (fixed) return fixed.some((one) => typeof one === typeof value)
  return hasType(branch['type'], value)
}

/** The only values that a schema allows, if it names them. */
function fixedValues(given: unknown, root: JsonObject, depth = 0): readonly unknown[] | undefined {
  const schema = depth > DEEPEST ? undefined : resolved(given, root)
  if (!schema) return undefined
  if ('const' in schema) return [schema['const']]
  if (Array.isArray(schema['enum'])) return schema['enum'] as readonly unknown[]
  const nested = schema['anyOf'] ?? schema['oneOf']
  if (!Array.isArray(nested)) return undefined
  const each = nested.map((one) => fixedValues(one, root, depth + 1))
  return each.includes(undefined) ? undefined : each.flatMap((values) => values ?? [])
}

/** The branches left by the members of an object whose allowed values each branch names, such as a `kind`. */
function byTag(fitting: readonly JsonObject[], union: FailedUnion): Reduced {
  const { error, root } = union
  const value = isObject(error.data) ? error.data : {}
  let left = fitting
  for (const key of fitting.length > 1 ? tagsOf(fitting, root) : []) {
    if (left.length < 2) break
    const values = left.map((branch) => fixedAt(branch, key, root) ?? [])
    const pointer = `${error.instancePath}${pointerOf([key])}`
    const all = `one of ${shownValues(values.flat())}`
    if (!Object.hasOwn(value, key)) {
      if (left.every((branch) => isRequired(branch, key)) && !values.every(isLike(values[0])))
        return { pointer, requirement: `is missing; it must be ${all}` }
      continue
    }
    const matching = left.filter((_, at) => values[at]?.some(isLike(value[key])))
    if (matching.length === 0) return { pointer, requirement: `must be ${all}` }
    left = matching
  }
  return mostLikely(left, fitting, union)
}

/** The members whose allowed values each branch names; first those that no two branches share a value of. */
function tagsOf(branches: readonly JsonObject[], root: JsonObject): readonly string[] {
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

function fixedAt(branch: JsonObject, key: string, root: JsonObject) {
  const maps = partsOf(branch, root).map(({ properties }) => properties)
  const holder = maps.filter(isObject).find((map) => Object.hasOwn(map, key))
  return fixedValues(holder?.[key], root)
}

const isLike = (value: unknown) => (other: unknown) => isDeepStrictEqual(value, other)

/** A schema and those that its `allOf` joins with it. */
function partsOf(branch: JsonObject, root: JsonObject): readonly JsonObject[] {
  const { allOf } = branch
  const joined: readonly unknown[] = Array.isArray(allOf) ? allOf : []
  return [branch, ...joined.map((one) => resolved(one, root)).filter((one) => one !== undefined)]
}

function isRequired({ required }: JsonObject, key: string): boolean {
  return Array.isArray(required) && required.includes(key)
}

/** Of several branches, the one that matched deepest into the value, as its failures are the most informative. */
function mostLikely(
  left: readonly JsonObject[],
  fitting: readonly JsonObject[],
  union: FailedUnion,
): Reduced {
  const { error, inner } = union
  const own = left.map((branch) => inner.flatMap((one) => partFrom(branch, one, union)))
  const best = own.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? []
  const isDeeper = depthOf(best) > error.instancePath.split('/').length
  if (best.length > 0 && (left.length === 1 || isDeeper)) return { failures: best }
  return { pointer: error.instancePath, requirement: unmet(fitting, union) }
}

/** The part of a failure that comes from a branch. It may be in a union that is itself a branch. */
function partFrom(branch: JsonObject, failure: Failure, union: FailedUnion): readonly Failure[] {
  if (isFrom([branch], failure, union)) return [failure]
  const isHere = failure.error.instancePath === union.error.instancePath
  return isHere ? failure.inner.flatMap((one) => partFrom(branch, one, union)) : []
}

function isFrom(branches: unknown, failure: Failure, { error: union, root }: FailedUnion): boolean {
  const { instancePath, parentSchema } = failure.error
  if (instancePath !== union.instancePath && !instancePath.startsWith(`${union.instancePath}/`))
    return false
  const keys = pointerPath(instancePath.slice(union.instancePath.length))
  return (Array.isArray(branches) ? branches : []).some((branch) => {
    const found = schemasAt(branch, keys, root)
    // A validator that the build compiled has copies of the schemas.
    return found.has(parentSchema) || [...found].some(isLike(parentSchema))
  })
}

/** What a value that no branch allows must be, branch by branch. */
function unmet(branches: readonly JsonObject[], union: FailedUnion): string {
  const { root } = union
  const values = branches.flatMap((branch) => fixedValues(branch, root) ?? [])
  const others = branches.filter((branch) => !fixedValues(branch, root))
  const needs = new Set(others.flatMap((branch) => needOf(branch, union) ?? []))
  if (values.length + needs.size === 0) return 'must match one of the allowed schemas'
  if (needs.size === 0 && values.length > 1) return `must be one of ${shownValues(values)}`
  const all = [...(values.length > 0 ? [`be ${shownValues(values)}`] : []), ...needs]
  const isSame = all.every((need) => need.startsWith('be '))
  return `must ${all.map((need, at) => (isSame && at > 0 ? need.slice(3) : need)).join(', or ')}`
}

function needOf(branch: JsonObject, union: FailedUnion): string | undefined {
  const { type, required } = branch
  const { error, inner } = union
  const isObjectWith = isObject(error.data) && Array.isArray(required) && required.length > 0
  if (isObjectWith) return `be an object with ${listed((required as unknown[]).map(shown))}`
  const [own] = hasType(type, error.data)
    ? inner.flatMap((one) => partFrom(branch, one, union))
    : []
  const { instancePath, message } = own?.error ?? {}
  const isOwn = own && !isUnion(own) && instancePath === error.instancePath
  if (isOwn && message?.startsWith('must ')) return message.slice(5)
  return type === undefined ? undefined : `be of type ${[type].flat().join(' or ')}`
}

function shownValues(values: readonly unknown[]): string {
  return listed([...new Set(values.map(shown))])
}

function shown(value: unknown): string {
  return JSON.stringify(value)
}
