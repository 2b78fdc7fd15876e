import type { Entry, NewEntry } from '../../agent/storage/index.ts'
import { entryUnknown } from '../faults.ts'
import type { SqlSession } from './database.ts'
import { entryIn } from './entry-row.ts'

/** Where a conversation is found. */
export type Place = readonly [owner: string, id: string]

export interface Append {
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
}

/** All entries of a conversation, in the order in which they came. */
export async function entriesOf(session: SqlSession, place: Place): Promise<readonly Entry[]> {
  const rows = await session.query(
    'SELECT * FROM entries WHERE owner = ? AND conversation_id = ? ORDER BY seq',
    place,
  )
  return rows.map(entryIn)
}

/** The path from the root to an entry. @throws {HostError} ENTRY_UNKNOWN */
export async function pathTo(
  session: SqlSession,
  place: Place,
  last: string,
): Promise<readonly Entry[]> {
  const rows = await session.query(
    `WITH RECURSIVE path AS (
      SELECT * FROM entries WHERE owner = ? AND conversation_id = ? AND id = ?
      UNION ALL
      SELECT above.* FROM entries above JOIN path ON above.id = path.parent
        WHERE above.owner = ? AND above.conversation_id = ?
    ) SELECT * FROM path ORDER BY seq`,
    [...place, last, ...place],
  )
  if (rows.length === 0) throw entryUnknown(last)
  return rows.map(entryIn)
}

/** Inserts entries, each below the one before it; those that are there are passed over. */
export async function insertEntries(
  session: SqlSession,
  place: Place,
  { entries, parent }: { readonly entries: readonly NewEntry[]; readonly parent: string | null },
  now: number,
): Promise<void> {
  let above = parent
  let seq = await entryCount(session, place)
  for (const entry of entries) {
    const { id, runId = null, kind, ...content } = entry
    const added = await session.query(
      `INSERT INTO entries
          (owner, conversation_id, id, parent, seq, run_id, kind, content, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
      [...place, id, above, seq, runId, kind, JSON.stringify(content), now],
    )
    seq += added.length
    above = id
  }
}

/** @throws {HostError} ENTRY_UNKNOWN */
export async function assertEntry(session: SqlSession, place: Place, entry: string): Promise<void> {
  const rows = await session.query(
    'SELECT id FROM entries WHERE owner = ? AND conversation_id = ? AND id = ?',
    [...place, entry],
  )
  if (rows.length === 0) throw entryUnknown(entry)
}

async function entryCount(session: SqlSession, place: Place): Promise<number> {
  const [row] = await session.query(
    'SELECT count(*) AS count FROM entries WHERE owner = ? AND conversation_id = ?',
    place,
  )
  return Number(row?.['count'])
}
