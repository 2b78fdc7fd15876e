import type { RunStatus, StoredRun } from '../../agent/storage/index.ts'
import { bytesOf } from '../byte-length.ts'
import { ifPresent, jsonIn, type NewRow, type Row } from './database.ts'

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

/** What {@link runIn} reads, of a run that came from another storage. */
export function runRow(run: StoredRun, idempotencyKey: string | null = null): NewRow {
  const { id, owner, conversationId = null, status, facts, endedAt = null, prunedAt = null } = run
  const kept = JSON.stringify(facts)
  return {
    id,
    owner,
    conversation_id: conversationId,
    status,
    facts: kept,
    bytes: bytesOf(kept),
    idempotency_key: idempotencyKey,
    started_at: run.startedAt,
    ended_at: endedAt,
    pruned_at: prunedAt,
    next_seq: run.nextSeq,
    leg_seq: run.legSeq,
    // Nobody writes it any more: its lease stayed where it came from.
    holder: status === 'active' ? '' : null,
    lease_until: status === 'active' ? 0 : null,
  }
}
