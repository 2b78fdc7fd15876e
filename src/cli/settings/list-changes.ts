import type { ConfigLayer } from '@braidwork/core'
import { isObject, pointerOf } from '@braidwork/plugin'
import { shorten } from '../terminal.ts'
import { changesBetween } from './changes.ts'
import { valueIn } from './fields.ts'

const LONGEST_VALUE = 60
/** Matches a reference to an environment variable, which is not a secret. */
const REFERENCE = /^\$\{env:[^{}]*\}$/

/** The changes to a config file, one line per value. `masked` returns a config with its secrets masked. */
export function listChanges(
  before: ConfigLayer,
  after: ConfigLayer,
  masked: (config: ConfigLayer) => unknown,
): readonly string[] {
  const from = masked(before)
  const to = masked(after)
  return leafChanges(before, after).map((path) => {
    const pointer = pointerOf(path)
    const was = shown(valueIn(before, path), valueIn(from, path))
    const is = shown(valueIn(after, path), valueIn(to, path))
    return `${pointer}: ${was} → ${is}`
  })
}

/** The paths that differ, down to the last key. */
function leafChanges(before: unknown, after: unknown): readonly (readonly string[])[] {
  return changesBetween(before, after).flatMap(({ path, before: was, after: is }) => {
    const isOneSided = was === undefined || is === undefined
    return isOneSided ? leavesBelow(is ?? was, path.map(String)) : [path.map(String)]
  })
}

function leavesBelow(value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [path]
  return Object.entries(value).flatMap(([key, inner]) => leavesBelow(inner, [...path, key]))
}

function shown(raw: unknown, masked: unknown): string {
  if (raw === undefined) return 'not set'
  if (typeof raw === 'string' && REFERENCE.test(raw)) return raw
  const text = JSON.stringify(masked, (_key, value: unknown) =>
    isObject(value) && value['$secret'] === true ? '***' : value,
  )
  return shorten(text, LONGEST_VALUE)
}
