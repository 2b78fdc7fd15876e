import type { SqlDatabase, SqlSession } from './database.ts'
import { mergeStored } from './run-events.ts'
import { charge } from './usage.ts'

/** Runs that are found in one statement. */
const PAGE = 100

/**
 * Joins the stored deltas of runs that ended before a time, in milliseconds since 1970.
 * @returns how many runs it joined; those that another process joined meanwhile do not count
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
      // A transaction for each run, so that other writers have their turn in between.
      const isPruned = await database.transaction((session) => pruneRun(session, String(id), now))
      if (isPruned) count++
    }
  }
}

/** False where another process did it. */
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
