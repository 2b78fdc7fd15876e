import { isObject, type JsonObject, pointerOf } from '@braidwork/plugin'
import type { ErrorObject } from 'ajv'
import { listed } from '../suggest.ts'
import { hasType } from './json-types.ts'
import { schemasAt } from './schemas-at.ts'
import { pointerPath } from './secret-marks.ts'
import { branchesOf, byTags, fixedValues, isLike, mayHold } from './union-branches.ts'

/** An error of ajv. That of a union has those of its branches. */
export interface Failure {
  readonly error: ErrorObject
  readonly inner: readonly Failure[]
  /** The length of the longest path of a value that it or an inner one is about. */
  readonly depth: number
}

/** The most failures that are compared with branches: each failure with each branch. Beyond that, a fault is less exact. */
const MOST_COMPARED = 10_000

/** A union that no branch matches, and the schema that contains it. */
export interface FailedUnion extends Failure {
  readonly root: JsonObject
}

/** The failures of the branch that is meant, or else the pointer and the requirement that no branch finds met. */
export type Reduced =
  | { readonly failures: readonly Failure[] }
  | { readonly pointer: string; readonly requirement: string }

export function isUnion({ error: { keyword } }: Failure): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

/** The schemas that may check a part of a value, by the place of the part. Most failures of a union are at the same places. */
class Places {
  readonly #root: JsonObject
  readonly #found = new WeakMap<object, Map<string, ReadonlySet<unknown>>>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** @param schema a schema or a list of schemas */
  at(schema: object, pointer: string): ReadonlySet<unknown> {
    const known = this.#found.get(schema) ?? new Map<string, ReadonlySet<unknown>>()
    this.#found.set(schema, known)
    const found = known.get(pointer) ?? schemasAt(schema, pointerPath(pointer), this.#root)
    known.set(pointer, found)
    return found
  }
}

/** A union whose failures are compared with its branches. */
interface Compared extends FailedUnion {
  readonly places: Places
}

/** Puts the errors of branches into those of their unions. ajv adds the error of a union after those of its branches. */
export function failuresOf(errors: readonly ErrorObject[], root: JsonObject): readonly Failure[] {
  const open: Failure[] = []
  const places = new Places(root)
  for (const error of errors) {
    const own = { error, inner: [], depth: error.instancePath.split('/').length }
    const inner: Failure[] = []
    for (let last = open.at(-1); last && isUnion(own); last = open.at(-1)) {
      if (!isFrom(error.schema, last, { ...own, places })) break
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
export function reduced(failed: FailedUnion): Reduced {
  const { error, root } = failed
  const union = { ...failed, places: new Places(root) }
  const pointer = error.instancePath
  if ((error.params as { passingSchemas?: unknown }).passingSchemas)
    return { pointer, requirement: 'must match only one of its alternatives, and matches several' }
  const branches = branchesOf(error.schema, root)
  const isPart = isObject(error.data) || Array.isArray(error.data)
  const fitting = branches.filter((branch) => mayHold(branch, error.data, root))
  if (!isPart || fitting.length === 0) return { pointer, requirement: unmet(branches, union) }
  return byTag(fitting, union)
}

/** The failures of the branch that the tags of the value stand for, or the tag that is wrong. */
function byTag(fitting: readonly JsonObject[], union: Compared): Reduced {
  const { error, root } = union
  const { left, wrong } = byTags(fitting, error.data, root)
  if (!wrong) return mostLikely(left, fitting, union)
  const requirement = `must be one of ${shownValues(wrong.values)}`
  const isThere = isObject(error.data) && Object.hasOwn(error.data, wrong.key)
  return {
    pointer: `${error.instancePath}${pointerOf([wrong.key])}`,
    requirement: isThere ? requirement : `is missing; it ${requirement}`,
  }
}

/** Of several branches, the one that matched deepest into the value, as its failures are the most informative. */
function mostLikely(
  left: readonly JsonObject[],
  fitting: readonly JsonObject[],
  union: Compared,
): Reduced {
  const { error, inner } = union
  if (left.length * inner.length > MOST_COMPARED)
    return { pointer: error.instancePath, requirement: unmet(fitting, union) }
  const own = left.map((branch) => inner.flatMap((one) => partFrom(branch, one, union)))
  const best = own.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? []
  const isDeeper = depthOf(best) > error.instancePath.split('/').length
  if (best.length > 0 && (left.length === 1 || isDeeper)) return { failures: best }
  return { pointer: error.instancePath, requirement: unmet(fitting, union) }
}

/** The part of a failure that comes from a branch. It may be in a union that is itself a branch. */
function partFrom(branch: JsonObject, failure: Failure, union: Compared): readonly Failure[] {
  if (isFrom(branch, failure, union)) return [failure]
  const isHere = failure.error.instancePath === union.error.instancePath
  return isHere ? failure.inner.flatMap((one) => partFrom(branch, one, union)) : []
}

function isFrom(
  branches: unknown,
  failure: Failure,
  { error: union, places }: Pick<Compared, 'error' | 'places'>,
): boolean {
  const { instancePath, parentSchema } = failure.error
  if (instancePath !== union.instancePath && !instancePath.startsWith(`${union.instancePath}/`))
    return false
  if (typeof branches !== 'object' || branches === null) return false
  const found = places.at(branches, instancePath.slice(union.instancePath.length))
  // A validator that the build compiled has copies of the schemas.
  return found.has(parentSchema) || [...found].some(isLike(parentSchema))
}

/** What a value that no branch allows must be, branch by branch. */
function unmet(branches: readonly JsonObject[], union: Compared): string {
  const { root } = union
  const values = branches.flatMap((branch) => fixedValues(branch, root) ?? [])
  const others = branches.filter((branch) => !fixedValues(branch, root))
  const isLong = others.length * union.inner.length > MOST_COMPARED
  const needs = new Set(isLong ? [] : others.flatMap((branch) => needOf(branch, union) ?? []))
  if (values.length + needs.size === 0) return 'must match one of the allowed schemas'
  if (needs.size === 0 && values.length > 1) return `must be one of ${shownValues(values)}`
  const all = [...(values.length > 0 ? [`be ${shownValues(values)}`] : []), ...needs]
  const isSame = all.every((need) => need.startsWith('be '))
  return `must ${all.map((need, at) => (isSame && at > 0 ? need.slice(3) : need)).join(', or ')}`
}

function needOf(branch: JsonObject, union: Compared): string | undefined {
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
