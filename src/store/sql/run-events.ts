import {
  bytesOf,
  type EventBatch,
  mergeDeltas,
  PART_TYPES,
  writtenJson,
} from '@braidwork/agent/internal'
import type { RunEvent } from '@braidwork/plugin'
import { groups, jsonIn, placeholders, type SqlSession, type SqlValue } from './database.ts'
import { addCharge, type Charge, chargeAll } from './usage.ts'

const MOST_EVENTS = 1000

/** The key of a run, with its owner. */
export type RunPlace = readonly [owner: string, runId: string]

const OF_RUN = `run_id = ? AND EXISTS (SELECT 1 FROM runs WHERE id = run_id AND owner = ?)`

/** Returns the events of a run with a `seq` above `after`, in order. */
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

/** Returns the last event of a type, if any. */
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

/**
 * Stores the events of the runs that `holder` still has. Returns the ids of the other runs. A batch that is stored
 * already is skipped: the write may be repeated after it was done.
 */
export async function storeBatches(
  session: SqlSession,
  holder: string,
  batches: readonly EventBatch[],
): Promise<readonly string[]> {
  const held = new Set<string>()
  const isStored = new Set<string>()
  const charges = new Map<string, Charge>()
  const written: WrittenBatch[] = []
  for (const { runId, events } of batches) {
    written.push({ runId, ...(await writtenRows(events)) })
  }
  for (const some of groups(session, written)) {
    const bytes = new Map(some.map((batch) => [batch.runId, batch.bytes]))
    for (const { id, owner } of await advance(session, holder, some)) {
      held.add(id)
      addCharge(charges, owner, { bytes: bytes.get(id) ?? 0 })
    }
    const left = some.filter(({ runId }) => !held.has(runId))
    for (const id of await heldAmong(session, holder, left)) isStored.add(id)
  }
  await insertRows(
    session,
    written.flatMap(({ runId, rows }) => (held.has(runId) ? rows : [])),
  )
  await chargeAll(session, charges)
  return batches
    .map(({ runId }) => runId)
    .filter((runId) => !held.has(runId) && !isStored.has(runId))
}

/** Returns the runs of batches that the holder still has. */
async function heldAmong(
  session: SqlSession,
  holder: string,
  batches: readonly { readonly runId: string }[],
): Promise<readonly string[]> {
  if (batches.length === 0) return []
  const ids = batches.map(({ runId }) => runId)
  const rows = await session.query(
    `SELECT id FROM runs WHERE holder = ? AND status = 'active' AND id IN (${placeholders(ids.length)})`,
    [holder, ...ids],
  )
  return rows.map(({ id }) => String(id))
}

/** Advances the `next_seq` of each run past its new events. Returns the runs that the holder still has and that are new. */
async function advance(
  session: SqlSession,
  holder: string,
  batches: readonly WrittenBatch[],
): Promise<readonly { readonly id: string; readonly owner: string }[]> {
  const row = '(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT))'
  const moved = await session.query(
    `UPDATE runs SET next_seq = moved.next, bytes = runs.bytes + moved.size
      FROM (SELECT column1 AS id, column2 AS next, column3 AS size
        FROM (VALUES ${batches.map(() => row).join(', ')}) AS given) AS moved
      WHERE runs.id = moved.id AND holder = ? AND status = 'active' AND runs.next_seq < moved.next
      RETURNING runs.id AS id, runs.owner AS owner`,
    [
      ...batches.flatMap(({ runId, rows, bytes }) => [runId, (rows.at(-1)?.seq ?? -1) + 1, bytes]),
      holder,
    ],
  )
  return moved.map(({ id, owner }) => ({ id: String(id), owner: String(owner) }))
}

/** Inserts events. Returns their size in bytes. */
export async function insertEvents(
  session: SqlSession,
  events: readonly RunEvent[],
): Promise<number> {
  const { rows, bytes } = await writtenRows(events)
  await insertRows(session, rows)
  return bytes
}

interface WrittenRows {
  readonly rows: readonly EventRow[]
  /** The size of the events in bytes. */
  readonly bytes: number
}

interface WrittenBatch extends WrittenRows {
  readonly runId: string
}

/** Serializes and measures events. Yields to the event loop at each long one. */
async function writtenRows(events: readonly RunEvent[]): Promise<WrittenRows> {
  const rows: EventRow[] = []
  let bytes = 0
  for (const event of events) {
    const written = await writtenJson(event)
    rows.push(eventRow(event, written.text))
    bytes += written.bytes
  }
  return { rows, bytes }
}

async function insertRows(session: SqlSession, events: readonly EventRow[]): Promise<void> {
  for (const some of groups(session, events)) {
    const rows = some.map(() => '(?, ?, ?, ?)').join(', ')
    await session.query(
      `INSERT INTO events (run_id, seq, type, event) VALUES ${rows} ON CONFLICT DO NOTHING`,
      some.flatMap((row): readonly SqlValue[] => Object.values(row)),
    )
  }
}

/** An event as a row, with the columns in table order. */
export interface EventRow {
  readonly run_id: string
  readonly seq: number
  readonly type: string
  readonly event: string
}

export function eventRow({ runId, seq, type }: RunEvent, text: string): EventRow {
  return { run_id: runId, seq, type, event: text }
}

/** Merges the deltas of each part of a run. Returns the change of the run's size in bytes, which is negative. */
export async function mergeStored(session: SqlSession, runId: string): Promise<number> {
  const parts = `run_id = ? AND type IN (${placeholders(PART_TYPES.length)})`
  const told: RunEvent[] = []
  let before = 0
  for (let last = -1; ; ) {
    const rows = await session.query(
      `SELECT seq, event FROM events WHERE ${parts} AND seq > ? ORDER BY seq LIMIT ?`,
      [runId, ...PART_TYPES, last, MOST_EVENTS],
    )
    if (rows.length === 0) break
    for (const { event } of rows) {
      told.push(jsonIn(event))
      before += bytesOf(String(event))
    }
    const first = last
    last = Number(rows.at(-1)?.['seq'])
    await session.query(`DELETE FROM events WHERE ${parts} AND seq > ? AND seq <= ?`, [
      runId,
      ...PART_TYPES,
      first,
      last,
    ])
  }
  return (await insertEvents(session, mergeDeltas(told))) - before
}

/** Deletes the events of a run in steps, so that other work of the process continues in between. */
export async function deleteEvents(session: SqlSession, runId: string): Promise<void> {
  const [last] = await session.query('SELECT max(seq) AS seq FROM events WHERE run_id = ?', [runId])
  const most = Number(last?.['seq'] ?? -1)
  for (let seq = 0; seq <= most; seq += MOST_EVENTS) {
    await session.query('DELETE FROM events WHERE run_id = ? AND seq < ?', [
      runId,
      seq + MOST_EVENTS,
    ])
  }
}
