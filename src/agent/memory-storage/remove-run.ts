import { keyOfRun, type Tables } from './tables.ts'
import { charge } from './usage.ts'

/** Removes a run with its events and approvals, and the runs below it. Returns whether it existed. */
export function removeRun(tables: Tables, id: string): boolean {
  const row = tables.runs.get(id)
  if (!row) return false
  for (const approval of tables.approvalsOf.of(id)) {
    tables.approvals.delete(approval)
    tables.approvalsOf.delete(id, approval)
  }
  const { idempotencyKey, run } = row
  for (const below of tables.runsBelow.of(id)) removeRun(tables, below)
  if (run.place) tables.runsBelow.delete(run.place.rootRunId, id)
  if (idempotencyKey !== undefined) tables.runKeys.delete(keyOfRun(run.owner, idempotencyKey))
  tables.shared.delete(id)
  charge(tables, run.owner, { bytes: -row.bytes })
  return tables.runs.delete(id)
}
