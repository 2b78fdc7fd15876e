import type { StoredRun } from '@braidwork/agent'
import { groups, placeholders, type SqlSession } from './database.ts'
import { deleteEvents } from './run-events.ts'
import { runsIn } from './run-row.ts'
import { sizeIn } from './usage.ts'

/** A root and the runs below it, in order of their ids. Empty if it is no root. */
export async function treeOf(
  session: SqlSession,
  owner: string,
  rootRunId: string,
): Promise<readonly StoredRun[]> {
  const rows = await session.query(
    `SELECT * FROM runs WHERE owner = ? AND id = ? AND root_run_id IS NULL
      UNION ALL SELECT * FROM runs WHERE owner = ? AND root_run_id = ?`,
    [owner, rootRunId, owner, rootRunId],
  )
  const runs = await runsIn(session, rows)
  // A database may sort texts by its own language.
  return [...runs].sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Ends the runs below a root that wait. */
export async function abortWaiting(
  session: SqlSession,
  rootRunId: string,
  now: number,
): Promise<void> {
  await session.query(
    `UPDATE runs SET status = 'aborted', ended_at = ?
      WHERE root_run_id = ? AND status = 'suspended'`,
    [now, rootRunId],
  )
}

/** Deletes runs and all that are below them. Returns the bytes that were charged for them. */
export async function deleteTrees(session: SqlSession, ids: readonly string[]): Promise<number> {
  const all = [...ids]
  for (const some of groups(session, ids)) {
    const below = await session.query(
      `SELECT id FROM runs WHERE root_run_id IN (${placeholders(some.length)})`,
      some,
    )
    all.push(...below.map(({ id }) => String(id)))
  }
  for (const id of all) await deleteEvents(session, id)
  let bytes = 0
  for (const some of groups(session, all)) {
    bytes += await sizeIn(
      session,
      `DELETE FROM runs WHERE id IN (${placeholders(some.length)}) RETURNING bytes AS size`,
      some,
    )
  }
  return bytes
}
