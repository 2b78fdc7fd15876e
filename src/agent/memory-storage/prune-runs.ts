import { mergeDeltas } from '../storage/index.ts'
import type { Tables } from './tables.ts'
import { bytesOfEvents, charge } from './usage.ts'

/** Merges the deltas of the runs that ended before a time. Returns the number of these runs. */
export function pruneRuns(tables: Tables, endedBefore: number, now: number): number {
  const rows = [...tables.runs.values()].filter(
    ({ run }) =>
      run.endedAt !== undefined && run.endedAt < endedBefore && run.prunedAt === undefined,
  )
  for (const row of rows) {
    const before = bytesOfEvents(row.events)
    row.events = mergeDeltas(row.events)
    const bytes = bytesOfEvents(row.events) - before
    row.bytes += bytes
    charge(tables, row.run.owner, { bytes })
    row.run = { ...row.run, prunedAt: now }
  }
  return rows.length
}
