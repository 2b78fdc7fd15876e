import { folded, type NewEntry, searchedIn } from '@braidwork/agent/internal'
import { groups, type SqlSession } from './database.ts'

/** The size of a piece of a text in characters. Pieces overlap, so that each word is whole in one of them. */
const PIECE = 32 * 1024
const OVERLAP = 256
/** The number of pieces deleted per statement. */
const AT_ONCE = 1000

/**
 * The statements that make the tables for searches. The texts of conversations that are there already are stored by the
 * first search of them.
 */
export function searchTables(integer: string): readonly string[] {
  return [
    `CREATE TABLE search_texts (
      owner TEXT NOT NULL, conversation_id TEXT NOT NULL, id TEXT NOT NULL,
      position ${integer} NOT NULL, text TEXT NOT NULL,
      PRIMARY KEY (owner, conversation_id, id, position),
      FOREIGN KEY (owner, conversation_id) REFERENCES conversations (owner, id) ON DELETE CASCADE)`,
    `CREATE TABLE unsearched_conversations (
      owner TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (owner, id),
      FOREIGN KEY (owner, id) REFERENCES conversations (owner, id) ON DELETE CASCADE)`,
    'INSERT INTO unsearched_conversations (owner, id) SELECT owner, id FROM conversations',
  ]
}

/** Stores the texts of entries, in which searches look. The entries must be new, or the same as before. */
export async function insertSearchTexts(
  session: SqlSession,
  place: readonly [owner: string, conversationId: string],
  entries: readonly NewEntry[],
): Promise<void> {
  const rows = entries.flatMap((entry) =>
    piecesOf(folded(searchedIn(entry))).map((text, at) => [...place, entry.id, at, text] as const),
  )
  for (const some of groups(session, rows)) {
    await session.query(
      `INSERT INTO search_texts (owner, conversation_id, id, position, text)
        VALUES ${some.map(() => '(?, ?, ?, ?, ?)').join(', ')} ON CONFLICT DO NOTHING`,
      some.flat(),
    )
  }
}

/**
 * Deletes the texts of a conversation, in small steps. Each step names both ends of a range of the index: PostgreSQL
 * joins tables in quadratic time while it has no statistics, and would read again the rows that earlier steps deleted.
 */
export async function deleteSearchTexts(
  session: SqlSession,
  place: readonly [owner: string, conversationId: string],
): Promise<void> {
  const range = 'FROM search_texts WHERE owner = ? AND conversation_id = ? AND id > ?'
  for (let last = ''; ; ) {
    const some = await session.query(`SELECT id ${range} ORDER BY id LIMIT ?`, [
      ...place,
      last,
      AT_ONCE,
    ])
    const end = some.at(-1)?.['id']
    if (end === undefined) return
    await session.query(`DELETE ${range} AND id <= ?`, [...place, last, String(end)])
    last = String(end)
  }
}

function piecesOf(text: string): readonly string[] {
  const count = Math.ceil(text.length / PIECE)
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * PIECE, (at + 1) * PIECE + OVERLAP),
  )
}
