/** What was measured, and its median in milliseconds. */
export type Row = readonly [what: string, milliseconds: number]

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((left, right) => left - right)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
