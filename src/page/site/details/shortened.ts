const LONGEST = 2000

/** A value whose long texts, such as files, are cut. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}… (${value.length})`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]))
}
