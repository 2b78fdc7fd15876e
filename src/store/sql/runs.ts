import type { StoredRun } from '@braidwork/agent'
import {
  type Append,
  type EventBatch,
  type HeldRun,
  type Lease,
  type NewRun,
  type RunEnd,
  type RunPage,
  type RunStart,
  type RunStorage,
  writtenJson,
} from '@braidwork/agent/internal'
import type { LateEvent, RunEvent } from '@braidwork/plugin'
import { addApproval } from './approvals.ts'
import type { SqlConversations } from './conversations.ts'
import { groups, placeholders, type SqlDatabase, type SqlValue } from './database.ts'
import { addLate } from './late-answers.ts'
import { pruneRuns } from './prune-runs.ts'
import { eventsOf, insertEvents, lastEvent, storeBatches } from './run-events.ts'
import { newestRuns, runIn, runsIn } from './run-row.ts'
import { abortWaiting, deleteTrees, treeOf } from './run-tree.ts'
import { begunWith, startRun } from './start-run.ts'
import { charge } from './usage.ts'

export class SqlRuns implements RunStorage {
  readonly #database: SqlDatabase
  readonly #conversations: SqlConversations

  constructor(database: SqlDatabase, conversations: SqlConversations) {
    this.#database = database
    this.#conversations = conversations
  }

  async start(run: NewRun, lease: Lease, append: Append, now: number): Promise<RunStart> {
    const order = await writtenJson(run.order)
    return this.#database.transaction((session) =>
      startRun(session, this.#conversations, { run, order, lease, append, now }),
    )
  }

  async resume(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `UPDATE runs SET status = 'active', leg_seq = next_seq, holder = ?, lease_until = ?
        WHERE id = ? AND owner = ? AND status = 'suspended' RETURNING *`,
      [lease.holder, lease.expiresAt, id, owner],
    )
    return row && runIn(this.#database, row)
  }

  begunWith(owner: string, idempotencyKey: string): Promise<StoredRun | undefined> {
    return begunWith(this.#database, { owner, idempotencyKey })
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
    return this.#database.transaction((session) => storeBatches(session, holder, batches))
  }

  end(end: RunEnd, now: number): Promise<boolean> {
    const { runId, holder, status, events, entries, approvals = [] } = end
    return this.#database.transaction(async (session) => {
      const endedAt = status === 'suspended' ? null : now
      const [row] = await session.query(
        `UPDATE runs SET status = ?, ended_at = ?, holder = NULL, lease_until = NULL
          WHERE id = ? AND holder = ? AND status = 'active' RETURNING owner, conversation_id`,
        [status, endedAt, runId, holder],
      )
      if (!row) return false
      if (status !== 'suspended') await abortWaiting(session, runId, now)
      let bytes = await insertEvents(session, events)
      const next = (events.at(-1)?.seq ?? -1) + 1
      if (next > 0) {
        await session.query('UPDATE runs SET next_seq = ?, bytes = bytes + ? WHERE id = ?', [
          next,
          bytes,
          runId,
        ])
      }
      for (const [position, approval] of approvals.entries()) {
        bytes += await addApproval(session, approval, position)
      }
      const owner = String(row['owner'])
      if (row['conversation_id'] !== null) {
        const place = [owner, String(row['conversation_id'])] as const
        bytes += await this.#conversations.appendIn(session, place, { entries }, now)
      }
      await charge(session, owner, { bytes })
      return true
    })
  }

  addLate(owner: string, id: string, event: LateEvent, now: number): Promise<boolean> {
    return this.#database.transaction((session) => addLate(session, [owner, id], event, now))
  }

  async load(owner: string, id: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query('SELECT * FROM runs WHERE id = ? AND owner = ?', [
      id,
      owner,
    ])
    return row && runIn(this.#database, row)
  }

  async open(owner: string, conversationId: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `SELECT * FROM runs WHERE conversation_id = ? AND owner = ?
        AND status IN ('active', 'suspended') ORDER BY started_at LIMIT 1`,
      [conversationId, owner],
    )
    return row && runIn(this.#database, row)
  }

  async list(owner: string, conversationId: string): Promise<readonly StoredRun[]> {
    const where = { text: 'conversation_id = ? AND owner = ?', values: [conversationId, owner] }
    const runs: StoredRun[] = []
    for (let before: StoredRun | undefined; ; before = runs.at(-1)) {
      const page = await newestRuns(this.#database, where, before ? { before } : {})
      runs.push(...page)
      if (page.length === 0) return runs
    }
  }

  tree(owner: string, rootRunId: string): Promise<readonly StoredRun[]> {
    return treeOf(this.#database, owner, rootRunId)
  }

  listOwned(owner: string, page?: RunPage): Promise<readonly StoredRun[]> {
    return newestRuns(this.#database, { text: 'owner = ?', values: [owner] }, page)
  }

  async last(owner: string, conversationId: string): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `SELECT * FROM runs WHERE conversation_id = ? AND owner = ?
        ORDER BY started_at DESC, id DESC LIMIT 1`,
      [conversationId, owner],
    )
    return row && runIn(this.#database, row)
  }

  events(
    owner: string,
    runId: string,
    range?: Parameters<RunStorage['events']>[2],
  ): Promise<readonly RunEvent[]> {
    return eventsOf(this.#database, [owner, runId], range)
  }

  lastEvent(owner: string, runId: string, type: RunEvent['type']): Promise<RunEvent | undefined> {
    return lastEvent(this.#database, [owner, runId], type)
  }

  async answered(now: number): Promise<readonly StoredRun[]> {
    const one = 'SELECT 1 FROM approvals WHERE run_id = runs.id AND answer'
    const rows = await this.#database.query(
      `SELECT * FROM runs WHERE status = 'suspended' AND EXISTS (${one} IS NOT NULL)
        AND NOT EXISTS (${one} IS NULL AND expires_at > ?)`,
      [now],
    )
    return runsIn(this.#database, rows)
  }

  async leases(): Promise<readonly HeldRun[]> {
    const rows = await this.#database.query(
      `SELECT id, holder, lease_until FROM runs WHERE status = 'active'`,
    )
    return rows.map((row) => ({
      runId: String(row['id']),
      holder: String(row['holder']),
      expiresAt: Number(row['lease_until']),
    }))
  }

  async takeOver(lease: Lease, left: readonly HeldRun[]): Promise<readonly StoredRun[]> {
    const taken: StoredRun[] = []
    for (const { runId, holder, expiresAt } of left) {
      const rows = await this.#database.query(
        `UPDATE runs SET holder = ?, lease_until = ?
          WHERE id = ? AND status = 'active' AND holder = ? AND lease_until = ? RETURNING *`,
        [lease.holder, lease.expiresAt, runId, holder, expiresAt],
      )
      taken.push(...(await runsIn(this.#database, rows)))
    }
    return taken
  }

  async seize(owner: string, id: string, lease: Lease): Promise<StoredRun | undefined> {
    const [row] = await this.#database.query(
      `UPDATE runs SET holder = ?, lease_until = ?
        WHERE id = ? AND owner = ? AND status = 'active' RETURNING *`,
      [lease.holder, lease.expiresAt, id, owner],
    )
    return row && runIn(this.#database, row)
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const isDeleted = await this.#database.transaction(async (session) => {
      const [row] = await session.query(
        `SELECT id FROM runs WHERE id = ? AND owner = ?${session.forUpdate}`,
        [id, owner],
      )
      if (!row) return false
      await charge(session, owner, { bytes: -(await deleteTrees(session, [id])) })
      return true
    })
    this.#database.reclaim()
    return isDeleted
  }

  prune(endedBefore: number, now: number): Promise<number> {
    return pruneRuns(this.#database, endedBefore, now)
  }

  async #among(
    runIds: readonly string[],
    text: string,
    values: readonly SqlValue[],
  ): Promise<readonly string[]> {
    if (runIds.length === 0) return []
    const returning = text.startsWith('UPDATE') ? 'RETURNING id' : ''
    const found: string[] = []
    for (const some of groups(this.#database, runIds)) {
      const rows = await this.#database.query(
        `${text} (${placeholders(some.length)}) ${returning}`,
        [...values, ...some],
      )
      found.push(...rows.map((row) => String(row['id'])))
    }
    return found
  }
}
