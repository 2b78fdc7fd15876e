import type { StoredRun } from '@braidwork/agent'
import type { Append, Lease, NewRun, RunStart, WrittenJson } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import type { SqlConversations } from './conversations.ts'
import type { SqlSession } from './database.ts'
import { insertPieces, piecesOf, RUN_ORDER } from './long-texts.ts'
import { runIn } from './run-row.ts'
import { abortWaiting } from './run-tree.ts'
import { charge } from './usage.ts'

/** The input of {@link startRun}. */
export interface Beginning {
  readonly run: NewRun
  readonly order: WrittenJson
  readonly lease: Lease
  readonly append: Append
  readonly now: number
}

/**
 * Starts a run within a transaction: appends the entries to its conversation, and ends the conversation's suspended
 * run.
 */
export async function startRun(
  session: SqlSession,
  conversations: SqlConversations,
  beginning: Beginning,
): Promise<RunStart> {
  const { run, order, append, now } = beginning
  const { owner, conversationId } = run
  if (conversationId !== undefined) await conversations.locked(session, owner, conversationId)
  const repeated = await begunWith(session, run)
  if (repeated) return { outcome: 'repeated', run: repeated }
  const startedAt = await insert(session, beginning)
  if (startedAt === undefined) return clash(session, run)
  let { bytes } = order
  if (conversationId !== undefined) {
    await abortSuspended(session, owner, { conversationId, now })
    bytes += await conversations.appendIn(session, [owner, conversationId], append, now)
  }
  await charge(session, owner, { bytes })
  const { idempotencyKey: _, ...begun } = run
  return {
    outcome: 'started',
    run: { ...begun, status: 'active', startedAt, nextSeq: 0, legSeq: 0 },
  }
}

/** Ends the suspended run of a conversation, and those below it. */
async function abortSuspended(
  session: SqlSession,
  owner: string,
  { conversationId, now }: { readonly conversationId: string; readonly now: number },
): Promise<void> {
  const [row] = await session.query(
    `UPDATE runs SET status = 'aborted', ended_at = ?
      WHERE owner = ? AND conversation_id = ? AND status = 'suspended' RETURNING id`,
    [now, owner, conversationId],
  )
  if (row) await abortWaiting(session, String(row['id']), now)
}

/**
 * Inserts the run. Returns its start time, or undefined if another run was in the way. The order may be long, so
 * the row is not read back.
 */
async function insert(
  session: SqlSession,
  { run, order, lease, now }: Beginning,
): Promise<number | undefined> {
  const { id, owner, conversationId = null, idempotencyKey = null, place } = run
  const tree = [place?.rootRunId ?? null, place ? JSON.stringify(place) : null]
  // A later run always gets a later start time, even if the clock was set back in between.
  const [last] = await session.query(
    'SELECT MAX(started_at) AS latest FROM runs WHERE owner = ? AND conversation_id = ?',
    [owner, conversationId],
  )
  const startedAt = Math.max(now, Number(last?.['latest'] ?? -1) + 1)
  const [first, ...rest] = piecesOf(order.text)
  const own = [id, owner, conversationId, first, rest.length, order.bytes, idempotencyKey]
  const inserted = await session.query(
    `INSERT INTO runs (id, owner, conversation_id, status, run_order, pieces, bytes, idempotency_key, started_at,
        next_seq, leg_seq, holder, lease_until, root_run_id, place)
      VALUES (?, ?, ?, 'active', ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    [...own, startedAt, lease.holder, lease.expiresAt, ...tree],
  )
  if (inserted.length === 0) return undefined
  await insertPieces(session, RUN_ORDER, [id], rest)
  return startedAt
}

/** Finds out why a run could not start: another run has its key, or is active in the conversation. */
async function clash(session: SqlSession, run: NewRun): Promise<RunStart> {
  const repeated = await begunWith(session, run)
  if (repeated) return { outcome: 'repeated', run: repeated }
  const [row] = await session.query(
    `SELECT * FROM runs WHERE owner = ? AND conversation_id = ? AND status = 'active'`,
    [run.owner, run.conversationId ?? null],
  )
  const active = row && (await runIn(session, row))
  if (active) return { outcome: 'busy', run: active }
  const message =
    'The run that was active in the conversation ended a moment ago. Start this run again.'
  throw new HostError('STORAGE_FAILED', message, { retryable: true })
}

/** Returns the run that was started with an idempotency key, if any. */
export async function begunWith(
  session: SqlSession,
  { owner, idempotencyKey }: Pick<NewRun, 'owner' | 'idempotencyKey'>,
): Promise<StoredRun | undefined> {
  if (idempotencyKey === undefined) return undefined
  const [row] = await session.query('SELECT * FROM runs WHERE owner = ? AND idempotency_key = ?', [
    owner,
    idempotencyKey,
  ])
  return row && runIn(session, row)
}
