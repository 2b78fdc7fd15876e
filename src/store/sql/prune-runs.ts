import type { SqlDatabase, SqlSession } from './database.ts'
import { mergeStored } from './run-events.ts'
import { charge } from './usage.ts'

/** The number of runs found per statement. */
const PAGE = 100

/**
 * Merges the deltas of each part in the stored runs that ended before `endedBefore`, in milliseconds since 1970.
 * @returns the number of runs pruned, without those that another process pruned meanwhile
 */
export async function pruneRuns(
  database: SqlDatabase,
  endedBefore: number,
  now: number,
): Promise<number> {
  for (let count = 0; ; ) {
    const old = await database.query(
      'SELECT id FROM runs WHERE ended_at < ? AND pruned_at IS NULL LIMIT ?',
      [endedBefore, PAGE],
    )
    if (old.length === 0) {
      if (count > 0) database.reclaim()
      return count
    }
    for (const { id } of old) {
      // Prune one run per transaction, so that active runs can write in between.
      const isPruned = await database.transaction((session) => pruneRun(session, String(id), now))
      if (isPruned) count++
    }
  }
}

/** Prunes a run. Returns false if another process has done so already. */
async function pruneRun(session: SqlSession, id: string, now: number): Promise<boolean> {
  const claimed = await session.query(
    'UPDATE runs SET pruned_at = ? WHERE id = ? AND pruned_at IS NULL RETURNING id',
    [now, id],
  )
  if (claimed.length === 0) return false
  const bytes = await mergeStored(session, id)
  const [row] = await session.query(
    'UPDATE runs SET bytes = bytes + ? WHERE id = ? RETURNING owner',
    [bytes, id],
  )
  await charge(session, String(row?.['owner']), { bytes })
  return true
}
