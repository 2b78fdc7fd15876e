import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

let found: string | undefined

/**
 * The hash of the commit that is checked out when it is first asked for. A test that asks twice takes the same sample,
 * also where somebody commits in between.
 */
export function commitHere(): string {
  const args = ['rev-parse', 'HEAD']
  found ??= execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  return found
}

/**
 * A sample of items. It depends only on the commit, so a repeated run takes the same, and the next commit others.
 * @param keyOf a text that no other item has
 */
export function commitSample<T>(
  items: readonly T[],
  { count, commit, keyOf }: SampleOptions<T>,
): T[] {
  const rank = (item: T) =>
    createHash('sha256')
      .update([commit, keyOf(item)].join('\n'))
      .digest('hex')
  const ranked = items.map((item) => [rank(item), item] as const)
  ranked.sort(([left], [right]) => (left < right ? -1 : 1))
  return ranked.slice(0, count).map(([, item]) => item)
}

interface SampleOptions<T> {
  /** How many of the items. */
  readonly count: number
  readonly commit: string
  readonly keyOf: (item: T) => string
}
