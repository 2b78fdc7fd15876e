import { bytesOf, entryUnknown, messageIdOf, type NewEntry } from '@braidwork/agent/internal'
import type { SqlSession } from './database.ts'
import { ENTRY_CONTENT, insertPieces, piecesOf } from './long-texts.ts'
import { insertSearchTexts } from './search-texts.ts'

/** The key of a conversation. */
export type Place = readonly [owner: string, id: string]

/** The limits of one `INSERT` statement, in rows and characters. */
const MOST_ROWS = 100
const MOST_CHARACTERS = 1 << 18

/**
 * Inserts entries, each as the child of the one before it. Skips entries whose id exists already. Returns the bytes
 * of the inserted ones.
 */
export async function insertEntries(
  session: SqlSession,
  place: Place,
  { entries, parent }: { readonly entries: readonly NewEntry[]; readonly parent: string | null },
  now: number,
): Promise<number> {
  let bytes = 0
  let seq = await nextSeq(session, place)
  for (const some of rowsOf(entries, parent)) {
    const rows = await session.query(
      `INSERT INTO entries
          (owner, conversation_id, id, parent, seq, run_id, kind, message_id, content, pieces,
            created_at)
        VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
        ON CONFLICT DO NOTHING RETURNING id`,
      some.flatMap(({ id, above, runId, kind, messageId, content: [first, ...rest] }, index) => {
        const node = [...place, id, above, seq + index] as const
        return [...node, runId, kind, messageId, first, rest.length, now]
      }),
    )
    const added = new Map(some.map((row) => [row.id, row.content]))
    const ids = new Set(rows.map(({ id }) => String(id)))
    for (const id of added.keys()) if (!ids.has(id)) added.delete(id)
    for (const [id, [first, ...rest]] of added) {
      await insertPieces(session, ENTRY_CONTENT, [...place, id], rest)
      bytes += bytesOf(first, ...rest)
    }
    const texts = some.flatMap(({ entry }) => (ids.has(entry.id) ? [entry] : []))
    await insertSearchTexts(session, place, texts)
    if (ids.size < some.length) await renumber(session, place, [...added.keys()], seq)
    seq += ids.size
  }
  return bytes
}

interface NewRow {
  readonly entry: NewEntry
  readonly id: string
  readonly above: string | null
  readonly runId: string | null
  readonly kind: string
  readonly messageId: string | null
  readonly content: ReturnType<typeof piecesOf>
}

/** Groups the entries into batches of rows, each small enough for one statement. */
function* rowsOf(entries: readonly NewEntry[], parent: string | null): Generator<NewRow[]> {
  let some: NewRow[] = []
  let characters = 0
  let above = parent
  for (const entry of entries) {
    const { id, runId = null, kind, ...rest } = entry
    const content = JSON.stringify(rest)
    const messageId = messageIdOf(entry) ?? null
    some.push({ entry, id, above, runId, kind, messageId, content: piecesOf(content) })
    characters += content.length
    above = id
    if (some.length < MOST_ROWS && characters < MOST_CHARACTERS) continue
    yield some
    some = []
    characters = 0
  }
  if (some.length > 0) yield some
}

/** Renumbers the inserted entries without gaps, after some entries of the batch were skipped. */
async function renumber(
  session: SqlSession,
  place: Place,
  ids: readonly string[],
  from: number,
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    await session.query(
      'UPDATE entries SET seq = ? WHERE owner = ? AND conversation_id = ? AND id = ?',
      [from + index, ...place, id],
    )
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

/**
 * Returns the number of the next entry. Reading the last entry is faster than counting all of them at every append.
 */
export async function nextSeq(session: SqlSession, place: Place): Promise<number> {
  const [row] = await session.query(
    `SELECT seq FROM entries WHERE owner = ? AND conversation_id = ?
      ORDER BY seq DESC, id DESC LIMIT 1`,
    place,
  )
  return row ? Number(row['seq']) + 1 : 0
}
