import { bytesOf, isSameLate, withResult } from '@braidwork/agent/internal'
import type { LateEvent, ToolResultPart } from '@braidwork/plugin'
import { jsonIn, type Row, type SqlSession } from './database.ts'
import type { Place } from './entries.ts'
import { entryIn } from './entry-row.ts'
import { ENTRY_CONTENT, insertPieces, piecesOf } from './long-texts.ts'
import { insertEvents, type RunPlace } from './run-events.ts'
import { charge } from './usage.ts'

/** Stores what is told of a run that is not active. Returns whether there is such a run. */
export async function addLate(
  session: SqlSession,
  [owner, id]: RunPlace,
  event: LateEvent,
  now: number,
): Promise<boolean> {
  const [run] = await session.query(
    `SELECT conversation_id, next_seq, ended_at FROM runs
      WHERE id = ? AND owner = ? AND status <> 'active'${session.forUpdate}`,
    [id, owner],
  )
  if (!run) return false
  const stored = await session.query('SELECT event FROM events WHERE run_id = ? AND type = ?', [
    id,
    event.type,
  ])
  if (stored.some((row) => isSameLate(jsonIn(row['event']), event))) return true
  const at = Math.max(now, Number(run['ended_at'] ?? 0))
  const seq = Number(run['next_seq'])
  let bytes = await insertEvents(session, [{ ...event, runId: id, seq, at }])
  await session.query('UPDATE runs SET next_seq = ?, bytes = bytes + ? WHERE id = ?', [
    seq + 1,
    bytes,
    id,
  ])
  const conversation = run['conversation_id']
  if (conversation !== null && event.type === 'tool-execution-late') {
    bytes += await replaceResult(session, [owner, String(conversation)], id, event.result)
  }
  await charge(session, owner, { bytes })
  return true
}

/** Replaces the last result that a run's call has in a conversation. Returns the bytes that this adds. */
async function replaceResult(
  session: SqlSession,
  place: Place,
  runId: string,
  result: ToolResultPart,
): Promise<number> {
  const rows = await session.query(
    `SELECT * FROM entries WHERE owner = ? AND conversation_id = ? AND run_id = ?
      AND kind = 'message' ORDER BY seq DESC`,
    [...place, runId],
  )
  for (const row of rows) {
    const entry = await entryIn(session, row)
    if (entry?.kind !== 'message') continue
    const message = withResult(entry.message, result)
    if (!message) continue
    const bytes =
      bytesOf(JSON.stringify({ message })) - bytesOf(JSON.stringify({ message: entry.message }))
    await rewrite(session, place, row, JSON.stringify({ message }))
    await session.query('UPDATE conversations SET bytes = bytes + ? WHERE owner = ? AND id = ?', [
      bytes,
      ...place,
    ])
    return bytes
  }
  return 0
}

/** Replaces the content of an entry. */
async function rewrite(
  session: SqlSession,
  place: Place,
  { id }: Row,
  content: string,
): Promise<void> {
  const key = [...place, String(id)]
  const [first, ...rest] = piecesOf(content)
  await session.query(
    `UPDATE entries SET content = ?, pieces = ?
      WHERE owner = ? AND conversation_id = ? AND id = ?`,
    [first, rest.length, ...key],
  )
  await session.query(
    'DELETE FROM entry_pieces WHERE owner = ? AND conversation_id = ? AND id = ?',
    key,
  )
  await insertPieces(session, ENTRY_CONTENT, key, rest)
}
