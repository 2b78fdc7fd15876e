/** A group with an unlimited repeat. Browsers' regular expression engines may take exponential time on it. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/
/** Unlimited repeats. With two or more in a pattern, these engines may try every combination. */
const OPEN_REPEAT = /(?<!\\)[*+]|\{\d+,\}/g
const LONGEST = 1000

/**
 * Whether a pattern is fast in every engine, so that a form in a browser may use it. The host checks all other patterns
 * itself: its engine (RE2) takes linear time. Some fast patterns are rejected too, to be on the safe side.
 */
export function isQuick(pattern: unknown): pattern is string {
  if (typeof pattern !== 'string' || pattern.length > LONGEST) return false
  if (REPEATED_GROUP.test(pattern)) return false
  if ((pattern.match(OPEN_REPEAT) ?? []).length > 1) return false
  return compiles(pattern)
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}
