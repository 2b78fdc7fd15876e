/** A group that repeats without a bound: the engines of browsers may take for ever over one. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/
/** Two open repeats or more are tried in every combination. */
const OPEN_REPEAT = /(?<!\\)[*+]|\{\d+,\}/g
const LONGEST = 1000

/**
 * Whether a pattern is quick in every engine, so that a form in a browser may use it. Others are left to
 * the host, whose engine (RE2) is linear in the length of the text. Cautious: it refuses good ones too.
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
