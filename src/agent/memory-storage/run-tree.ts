import type { StoredRun } from '../storage/index.ts'
import { closeRun, type RunRow, runOf, type Tables } from './tables.ts'

/** The runs below a root. */
function rowsBelow({ runs, runsBelow }: Tables, rootRunId: string): readonly RunRow[] {
  return runsBelow.of(rootRunId).flatMap((id) => runs.get(id) ?? [])
}

/** A root and the runs below it, in order of their ids. */
export function treeOf(tables: Tables, root: RunRow): readonly StoredRun[] {
  const all = [root, ...rowsBelow(tables, root.run.id)].map(runOf)
  return all.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Marks a run as ended or suspended. Those below one that is over wait for nobody any more. */
export function closeTree(
  tables: Tables,
  row: RunRow,
  { status, now }: { readonly status: StoredRun['status']; readonly now: number },
): void {
  closeRun(row, status, now)
  if (status === 'suspended') return
  for (const below of rowsBelow(tables, row.run.id)) {
    if (below.run.status === 'suspended') closeRun(below, 'aborted', now)
  }
}
