import { isObject } from './json.ts'

/**
 * The token counts of an answer. `input` includes `cacheRead` and `cacheWrite`; `output` includes `reasoning`.
 * Unknown counts are absent, never 0. `raw` is the count as the API reported it.
 */
export interface Usage {
  readonly input?: number
  readonly output?: number
  readonly reasoning?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly raw?: unknown
}

const COUNTS = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const

/** Reads a usage from any value. Counts that are not whole numbers of at least 0 are left out. */
export function toUsage(value: unknown): Usage {
  if (!isObject(value)) return {}
  const known = COUNTS.filter((key) => isCount(value[key])).map((key) => [key, value[key]])
  const usage: Usage = Object.fromEntries(known)
  return value['raw'] === undefined ? usage : { ...usage, raw: value['raw'] }
}

/** Lists the contradictions in a usage, a sentence each. Empty if there are none. */
export function usageFaults(usage: Usage): string[] {
  const { input, output, reasoning, cacheRead = 0, cacheWrite = 0 } = usage
  const faults: string[] = []
  if (input !== undefined && cacheRead + cacheWrite > input) {
    faults.push(
      `cacheRead and cacheWrite (${cacheRead + cacheWrite}) are more than input (${input})`,
    )
  }
  if (output !== undefined && reasoning !== undefined && reasoning > output) {
    faults.push(`reasoning (${reasoning}) is more than output (${output})`)
  }
  return faults
}

/** Adds two usages, for example of two steps. A count that only one of them has is taken over. */
export function addUsage(left: Usage, right: Usage): Usage {
  const sums = COUNTS.filter((key) => left[key] !== undefined || right[key] !== undefined).map(
    (key) => [key, (left[key] ?? 0) + (right[key] ?? 0)],
  )
  return Object.fromEntries(sums)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
