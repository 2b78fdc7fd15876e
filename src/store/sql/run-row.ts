import type { StoredRun } from '@braidwork/agent'
import { bytesOf, type RunPage, type RunPlace, type RunStatus } from '@braidwork/agent/internal'
import {
  ifPresent,
  jsonIn,
  type NewRow,
  type Row,
  type SqlSession,
  type SqlValue,
} from './database.ts'
import { RUN_ORDER, wholeText } from './long-texts.ts'

/** Reads the run of a row. Returns undefined if the run was deleted meanwhile. */
export async function runIn(session: SqlSession, row: Row): Promise<StoredRun | undefined> {
  const order = await wholeText(session, RUN_ORDER, row)
  return order === undefined ? undefined : runWith(row, order)
}

/** Reads the runs of many rows and leaves out those deleted meanwhile. */
export async function runsIn(
  session: SqlSession,
  rows: readonly Row[],
): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = []
  for (const row of rows) {
    const run = await runIn(session, row)
    if (run) runs.push(run)
  }
  return runs
}

/** The number of runs read per statement. */
const PAGE = 100

/** Reads runs, newest first. @param where which ones, with the values of its placeholders */
export async function newestRuns(
  session: SqlSession,
  where: { readonly text: string; readonly values: readonly SqlValue[] },
  { limit = PAGE, before }: RunPage = {},
): Promise<readonly StoredRun[]> {
  const rows = await session.query(
    `SELECT * FROM runs WHERE ${where.text} ${before ? 'AND (started_at, id) < (?, ?)' : ''}
      ORDER BY started_at DESC, id DESC LIMIT ?`,
    [...where.values, ...(before ? [before.startedAt, before.id] : []), limit],
  )
  return runsIn(session, rows)
}

function runWith(row: Row, order: string): StoredRun {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    ...ifPresent('conversationId', row['conversation_id'], String),
    ...ifPresent('place', row['place'], (place) => jsonIn<RunPlace>(String(place))),
    status: String(row['status']) as RunStatus,
    order: jsonIn(order),
    startedAt: Number(row['started_at']),
    ...ifPresent('endedAt', row['ended_at'], Number),
    ...ifPresent('prunedAt', row['pruned_at'], Number),
    nextSeq: Number(row['next_seq']),
    legSeq: Number(row['leg_seq']),
  }
}

/** Converts an imported run to the row that {@link runIn} reads. */
export function runRow(run: StoredRun, idempotencyKey: string | null = null): NewRow {
  const { id, owner, conversationId = null, status, order, endedAt = null, prunedAt = null } = run
  const kept = JSON.stringify(order)
  const { place } = run
  return {
    id,
    owner,
    conversation_id: conversationId,
    root_run_id: place?.rootRunId ?? null,
    place: place ? JSON.stringify(place) : null,
    status,
    run_order: kept,
    bytes: bytesOf(kept),
    idempotency_key: idempotencyKey,
    started_at: run.startedAt,
    ended_at: endedAt,
    pruned_at: prunedAt,
    next_seq: run.nextSeq,
    leg_seq: run.legSeq,
    // No process writes an imported run: its lease stayed behind in the original storage.
    holder: status === 'active' ? '' : null,
    lease_until: status === 'active' ? 0 : null,
  }
}
