import { isDeepStrictEqual } from 'node:util'
import { isObject } from '@braidwork/plugin'

/** A path in a config: object keys and list indexes. */
export type Path = readonly (string | number)[]

/** A changed value. Without `before` the value is new; without `after` it was removed. */
export interface Change {
  readonly path: Path
  readonly before?: unknown
  readonly after?: unknown
}

/** The differences between two values. Objects are compared key by key, all other values as a whole. */
export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isDeepStrictEqual(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => changesBetween(before[key], after[key], [...path, key]))
}

/** One edit on the way from one list to another. */
export type ListStep =
  | {
      readonly step: 'change'
      readonly index: number
      readonly before: unknown
      readonly after: unknown
    }
  | { readonly step: 'remove'; readonly index: number }
  | { readonly step: 'append'; readonly value: unknown }

/** The edits that turn one list into another, in an order in which each index is valid when it is used. */
export function listSteps(before: readonly unknown[], after: readonly unknown[]): ListStep[] {
  const byOrder = keepInOrder(before, after)
  const byIndex = changeInPlace(before, after)
  return byOrder.length <= byIndex.length ? byOrder : byIndex
}

/** Keeps the items that occur in both lists, removes the others, and appends the new ones. */
function keepInOrder(before: readonly unknown[], after: readonly unknown[]): ListStep[] {
  let kept = 0
  const gone: number[] = []
  for (const [index, value] of before.entries()) {
    if (kept < after.length && isDeepStrictEqual(value, after[kept])) kept++
    else gone.push(index)
  }
  return [
    ...gone.reverse().map((index) => ({ step: 'remove', index }) as const),
    ...after.slice(kept).map((value) => ({ step: 'append', value }) as const),
  ]
}

function changeInPlace(before: readonly unknown[], after: readonly unknown[]): ListStep[] {
  const shared = before.slice(0, after.length)
  const surplus = before.slice(after.length).map((_, at) => after.length + at)
  return [
    ...shared.flatMap((value, index): ListStep[] =>
      isDeepStrictEqual(value, after[index])
        ? []
        : [{ step: 'change', index, before: value, after: after[index] }],
    ),
    ...surplus.reverse().map((index) => ({ step: 'remove', index }) as const),
    ...after.slice(before.length).map((value) => ({ step: 'append', value }) as const),
  ]
}
