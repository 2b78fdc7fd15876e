import type { HeldRun, Lease, StoredRun } from '../storage/index.ts'
import { type RunRow, runOf, type Tables } from './tables.ts'

/** The run, if the holder has it. */
export function heldBy({ runs }: Tables, id: string, holder: string): RunRow | undefined {
  const row = runs.get(id)
  return row?.lease?.holder === holder && row.run.status === 'active' ? row : undefined
}

/** All active runs with their leases. */
export function heldRuns({ runs }: Tables): readonly HeldRun[] {
  return [...runs.values()].flatMap(({ run, lease }) =>
    run.status === 'active' && lease ? [{ runId: run.id, ...lease }] : [],
  )
}

/** Gives a lease to the runs whose leases have not changed. */
export function takenOver(
  tables: Tables,
  lease: Lease,
  left: readonly HeldRun[],
): readonly StoredRun[] {
  const rows = left.flatMap(({ runId, holder, expiresAt }) => {
    const row = heldBy(tables, runId, holder)
    return row?.lease?.expiresAt === expiresAt ? [row] : []
  })
  for (const row of rows) row.lease = lease
  return rows.map(runOf)
}
