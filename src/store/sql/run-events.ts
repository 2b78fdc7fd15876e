import type { EventBatch } from '../../agent/storage/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { mergeDeltas, PART_TYPES } from '../merge-deltas.ts'
import { groups, jsonIn, type NewRow, placeholders, type SqlSession } from './database.ts'

const MOST_EVENTS = 1000

/** A run of an owner's. */
export type RunPlace = readonly [owner: string, runId: string]

const OF_RUN = `run_id = ? AND EXISTS (SELECT 1 FROM runs WHERE id = run_id AND owner = ?)`

/** The events of a run above a number, in order. */
export async function eventsOf(
  session: SqlSession,
  [owner, runId]: RunPlace,
  { after = -1, limit = MOST_EVENTS }: { readonly after?: number; readonly limit?: number } = {},
): Promise<readonly RunEvent[]> {
  const rows = await session.query(
    `SELECT event FROM events WHERE ${OF_RUN} AND seq > ? ORDER BY seq LIMIT ?`,
    [runId, owner, after, limit],
  )
  return rows.map((row) => jsonIn(row['event']))
}

/** The last event of a type. */
export async function lastEvent(
  session: SqlSession,
  [owner, runId]: RunPlace,
  type: string,
): Promise<RunEvent | undefined> {
  const [row] = await session.query(
    `SELECT event FROM events WHERE ${OF_RUN} AND type = ? ORDER BY seq DESC LIMIT 1`,
    [runId, owner, type],
  )
  return row && jsonIn(row['event'])
}

/** Stores what the holder may still write; answers the runs that are not its own any more. */
export async function storeBatches(
  session: SqlSession,
  holder: string,
  batches: readonly EventBatch[],
): Promise<readonly string[]> {
  const held = new Set<string>()
  for (const some of groups(batches)) {
    for (const id of await advance(session, holder, some)) held.add(id)
  }
  const kept = batches.filter(({ runId }) => held.has(runId))
  await insertEvents(
    session,
    kept.flatMap(({ events }) => events),
  )
  return batches.filter(({ runId }) => !held.has(runId)).map(({ runId }) => runId)
}

/** Moves the next numbers of runs behind their new events; answers those that are still the holder's. */
async function advance(
  session: SqlSession,
  holder: string,
  batches: readonly EventBatch[],
): Promise<readonly string[]> {
  const rows = batches.map(() => '(CAST(? AS TEXT), CAST(? AS BIGINT))').join(', ')
  const moved = await session.query(
    `UPDATE runs SET next_seq = moved.next
      FROM (SELECT column1 AS id, column2 AS next FROM (VALUES ${rows}) AS given) AS moved
      WHERE runs.id = moved.id AND holder = ? AND status = 'active' RETURNING runs.id AS id`,
    [...batches.flatMap(({ runId, events }) => [runId, (events.at(-1)?.seq ?? -1) + 1]), holder],
  )
  return moved.map((row) => String(row['id']))
}

export async function insertEvents(
  session: SqlSession,
  events: readonly RunEvent[],
): Promise<void> {
  for (const some of groups(events)) {
    const rows = some.map(() => '(?, ?, ?, ?)').join(', ')
    await session.query(
      `INSERT INTO events (run_id, seq, type, event) VALUES ${rows} ON CONFLICT DO NOTHING`,
      some.flatMap((event) => Object.values(eventRow(event))),
    )
  }
}

/** In the order of the table's columns. */
export function eventRow(event: RunEvent): NewRow {
  const { runId, seq, type } = event
  return { run_id: runId, seq, type, event: JSON.stringify(event) }
}

/** Makes the deltas of each part one. */
export async function mergeStored(session: SqlSession, runId: string): Promise<void> {
  const parts = `run_id = ? AND type IN (${placeholders(PART_TYPES.length)})`
  const values = [runId, ...PART_TYPES]
  const rows = await session.query(`SELECT event FROM events WHERE ${parts} ORDER BY seq`, values)
  await session.query(`DELETE FROM events WHERE ${parts}`, values)
  await insertEvents(session, mergeDeltas(rows.map((row) => jsonIn<RunEvent>(row['event']))))
}
