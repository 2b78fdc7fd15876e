import type { Entry } from '@braidwork/agent'
import { type EntryContent, messageIdOf } from '@braidwork/agent/internal'
import { ifPresent, jsonIn, type NewRow, type Row, type SqlSession } from './database.ts'
import { ENTRY_CONTENT, wholeText } from './long-texts.ts'

/** Reads the entry of a row. Returns undefined if the entry was deleted meanwhile. */
export async function entryIn(session: SqlSession, row: Row): Promise<Entry | undefined> {
  const content = await wholeText(session, ENTRY_CONTENT, row)
  return content === undefined ? undefined : entryWith(row, content)
}

/** Reads the entries of many rows and leaves out those deleted meanwhile. */
export async function entriesIn(
  session: SqlSession,
  rows: readonly Row[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (const row of rows) {
    const entry = await entryIn(session, row)
    if (entry) entries.push(entry)
  }
  return entries
}

function entryWith(row: Row, text: string): Entry {
  const content = { kind: row['kind'], ...jsonIn<object>(text) } as EntryContent
  return {
    id: String(row['id']),
    ...ifPresent('parent', row['parent'], String),
    ...ifPresent('runId', row['run_id'], String),
    seq: Number(row['seq']),
    createdAt: Number(row['created_at']),
    ...content,
  }
}

/** Converts an entry to the row that {@link entryIn} reads. */
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
    message_id: messageIdOf(entry) ?? null,
    content: JSON.stringify(content),
    created_at: createdAt,
  }
}
