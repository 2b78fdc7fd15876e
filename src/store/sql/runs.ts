import type {
  EventBatch,
  Lease,
  NewRun,
  RunEnd,
  RunStart,
  RunStatus,
  RunStorage,
  StoredRun,
} from '../../agent/storage/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { mergeDeltas, PART_TYPES } from '../merge-deltas.ts'
import type { Append, SqlConversations } from './conversations.ts'
import {
  ifPresent,
  jsonIn,
  placeholders,
  type Row,
  type SqlDatabase,
  type SqlSession,
  type SqlValue,
} from './database.ts'

const MOST_EVENTS = 1000
/** Rows that one statement inserts: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const MOST_ROWS = 500

export class SqlRuns implements RunStorage {
  readonly #database: SqlDatabase
  readonly #conversations: SqlConversations

  constructor(database: SqlDatabase, conversations: SqlConversations) {
    this.#database = database
    this.#conversations = conversations
  }

  start(run: NewRun, lease: Lease, append: Append, now: number): Promise<RunStart> {
    return this.#database.transaction(async (session) => {
      const { id, owner, conversationId = null, facts, idempotencyKey = null } = run
      if (conversationId !== null) await this.#conversations.locked(session, owner, conversationId)
      const repeated = await byKey(session, owner, idempotencyKey)
      if (repeated) return { outcome: 'repeated', run: repeated }
      const [row] = await session.query(
        `INSERT INTO runs (id, owner, conversation_id, status, facts, idempotency_key, started_at,
            next_seq, leg_seq, holder, lease_until)
          VALUES (?, ?, ?, 'active', ?, ?, ?, 0, 0, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
        [
          id,
          owner,
          conversationId,
          JSON.stringify(facts),
          idempotencyKey,
          now,
          lease.holder,
          lease.expiresAt,
        ],
      )
      if (!row) return this.#clash(session, run)
      if (conversationId !== null) {
        await session.query(
          `UPDATE runs SET status = 'aborted', ended_at = ?
            WHERE conversation_id = ? AND status = 'suspended'`,
          [now, conversationId],
        )
        await this.#conversations.appendIn(session, [owner, conversationId], append, now)
      }
      return { outcome: 'started', run: runIn(row) }
    })
  }

  async resume(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `UPDATE runs SET status = 'active', leg_seq = next_seq, holder = ?, lease_until = ?
        WHERE id = ? AND owner = ? AND status = 'suspended' RETURNING *`,
      [lease.holder, lease.expiresAt, id, owner],
    )
    return row && runIn(row)
  }

  renew(runIds: readonly string[], { holder, expiresAt }: Lease): Promise<readonly string[]> {
    return this.#among(
      runIds,
      `UPDATE runs SET lease_until = ? WHERE holder = ? AND status = 'active' AND id IN`,
      [expiresAt, holder],
    )
  }

  held(holder: string, runIds: readonly string[]): Promise<readonly string[]> {
    return this.#among(
      runIds,
      `SELECT id FROM runs WHERE holder = ? AND status = 'active' AND id IN`,
      [holder],
    )
  }

  append(holder: string, batches: readonly EventBatch[]): Promise<readonly string[]> {
    return this.#database.transaction(async (session) => {
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
    })
  }

  end({ runId, holder, status, events, entries }: RunEnd, now: number): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const endedAt = status === 'suspended' ? null : now
      const [row] = await session.query(
        `UPDATE runs SET status = ?, ended_at = ?, holder = NULL, lease_until = NULL
          WHERE id = ? AND holder = ? AND status = 'active' RETURNING *`,
        [status, endedAt, runId, holder],
      )
      if (!row) return false
      await insertEvents(session, events)
      const next = (events.at(-1)?.seq ?? -1) + 1
      if (next > 0) await session.query('UPDATE runs SET next_seq = ? WHERE id = ?', [next, runId])
      const { owner, conversationId } = runIn(row)
      if (conversationId !== undefined) {
        await this.#conversations.appendIn(session, [owner, conversationId], { entries }, now)
      }
      return true
    })
  }

  async load(owner: string, id: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query('SELECT * FROM runs WHERE id = ? AND owner = ?', [
      id,
      owner,
    ])
    return row && runIn(row)
  }

  async open(owner: string, conversationId: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `SELECT * FROM runs WHERE conversation_id = ? AND owner = ?
        AND status IN ('active', 'suspended') ORDER BY started_at LIMIT 1`,
      [conversationId, owner],
    )
    return row && runIn(row)
  }

  async list(owner: string, conversationId: string): Promise<readonly StoredRun[]> {
    const rows = await this.#database.query(
      `SELECT * FROM runs WHERE conversation_id = ? AND owner = ?
        ORDER BY started_at DESC, id DESC`,
      [conversationId, owner],
    )
    return rows.map(runIn)
  }

  async events(
    runId: string,
    { after = -1, limit = MOST_EVENTS }: { readonly after?: number; readonly limit?: number } = {},
  ): Promise<readonly RunEvent[]> {
    const rows = await this.#database.query(
      'SELECT event FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      [runId, after, limit],
    )
    return rows.map((row) => jsonIn(row['event']))
  }

  async holders(): Promise<readonly string[]> {
    const rows = await this.#database.query(
      `SELECT DISTINCT holder FROM runs WHERE status = 'active' AND holder IS NOT NULL`,
    )
    return rows.map((row) => String(row['holder']))
  }

  async takeOver(
    lease: Lease,
    now: number,
    holders: readonly string[] = [],
  ): Promise<readonly StoredRun[]> {
    const among = holders.length > 0 ? `OR holder IN (${placeholders(holders.length)})` : ''
    const rows = await this.#database.query(
      `UPDATE runs SET holder = ?, lease_until = ?
        WHERE status = 'active' AND (lease_until <= ? ${among}) RETURNING *`,
      [lease.holder, lease.expiresAt, now, ...holders],
    )
    return rows.map(runIn)
  }

  async seize(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `UPDATE runs SET holder = ?, lease_until = ?
        WHERE id = ? AND owner = ? AND status = 'active' RETURNING *`,
      [lease.holder, lease.expiresAt, id, owner],
    )
    return row && runIn(row)
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const rows = await this.#database.query(
      'DELETE FROM runs WHERE id = ? AND owner = ? RETURNING id',
      [id, owner],
    )
    return rows.length > 0
  }

  async prune(endedBefore: number, now: number): Promise<number> {
    const old = await this.#database.query(
      'SELECT id FROM runs WHERE ended_at < ? AND pruned_at IS NULL',
      [endedBefore],
    )
    let count = 0
    for (const { id } of old) {
      // One at a time: what runs now writes in between.
      const isPruned = await this.#database.transaction((s) => pruneRun(s, String(id), now))
      if (isPruned) count++
    }
    return count
  }

  /** A run that could not begin: another with its key came first, or one is active. */
  async #clash(session: SqlSession, run: NewRun): Promise<RunStart> {
    const { owner, conversationId = null, idempotencyKey = null } = run
    const repeated = await byKey(session, owner, idempotencyKey)
    if (repeated) return { outcome: 'repeated', run: repeated }
    const [row] = await session.query(
      `SELECT * FROM runs WHERE conversation_id = ? AND status = 'active'`,
      [conversationId],
    )
    return { outcome: 'busy', run: runIn(row as Row) }
  }

  async #among(
    runIds: readonly string[],
    text: string,
    values: readonly SqlValue[],
  ): Promise<readonly string[]> {
    if (runIds.length === 0) return []
    const returning = text.startsWith('UPDATE') ? 'RETURNING id' : ''
    const found: string[] = []
    for (const some of groups(runIds)) {
      const rows = await this.#database.query(
        `${text} (${placeholders(some.length)}) ${returning}`,
        [...values, ...some],
      )
      found.push(...rows.map((row) => String(row['id'])))
    }
    return found
  }
}

export function runIn(row: Row): StoredRun {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    ...ifPresent('conversationId', row['conversation_id'], String),
    status: String(row['status']) as RunStatus,
    facts: jsonIn(row['facts']),
    startedAt: Number(row['started_at']),
    ...ifPresent('endedAt', row['ended_at'], Number),
    ...ifPresent('prunedAt', row['pruned_at'], Number),
    nextSeq: Number(row['next_seq']),
    legSeq: Number(row['leg_seq']),
  }
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
      some.flatMap((event) => [event.runId, event.seq, event.type, JSON.stringify(event)]),
    )
  }
}

/** False where another process did it. */
async function pruneRun(session: SqlSession, id: string, now: number): Promise<boolean> {
  const claimed = await session.query(
    'UPDATE runs SET pruned_at = ? WHERE id = ? AND pruned_at IS NULL RETURNING id',
    [now, id],
  )
  if (claimed.length === 0) return false
  const parts = `run_id = ? AND type IN (${placeholders(PART_TYPES.length)})`
  const rows = await session.query(`SELECT event FROM events WHERE ${parts} ORDER BY seq`, [
    id,
    ...PART_TYPES,
  ])
  await session.query(`DELETE FROM events WHERE ${parts}`, [id, ...PART_TYPES])
  await insertEvents(session, mergeDeltas(rows.map((row) => jsonIn<RunEvent>(row['event']))))
  return true
}

async function byKey(
  session: SqlSession,
  owner: string,
  key: string | null,
): Promise<StoredRun | undefined> {
  if (key === null) return undefined
  const [row] = await session.query('SELECT * FROM runs WHERE owner = ? AND idempotency_key = ?', [
    owner,
    key,
  ])
  return row && runIn(row)
}

function groups<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / MOST_ROWS)
  return Array.from({ length: count }, (_, at) => all.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS))
}
