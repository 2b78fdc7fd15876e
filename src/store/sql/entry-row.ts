import type { Entry, EntryContent } from '../../agent/storage/index.ts'
import { ifPresent, jsonIn, type NewRow, type Row } from './database.ts'

export function entryIn(row: Row): Entry {
  const content = {
    kind: row['kind'],
    ...jsonIn<object>(row['content']),
  } as EntryContent
  return {
    id: String(row['id']),
    ...ifPresent('parent', row['parent'], String),
    ...ifPresent('runId', row['run_id'], String),
    seq: Number(row['seq']),
    createdAt: Number(row['created_at']),
    ...content,
  }
}

/** What {@link entryIn} reads. */
export function entryRow(
  [owner, conversationId]: readonly [owner: string, conversationId: string],
  entry: Entry,
): NewRow {
  const { id, parent = null, seq, runId = null, kind, createdAt, ...content } = entry
  return {
    owner,
    conversation_id: conversationId,
    id,
    parent,
    seq,
    run_id: runId,
    kind,
    content: JSON.stringify(content),
    created_at: createdAt,
  }
}
