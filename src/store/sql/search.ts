import type { Conversation, Entry } from '@braidwork/agent'
import type { SearchHit } from '@braidwork/agent/internal'
import { placeholders, type SqlDatabase, type SqlSession, type SqlValue } from './database.ts'
import type { Place } from './entries.ts'
import { entriesIn, entryIn } from './entry-row.ts'
import { nodesUp, seqOf } from './read-entries.ts'
import { insertSearchTexts } from './search-texts.ts'

/** The number of entries of an earlier version that one statement reads. */
const AT_ONCE = 100
/** The number of conversations that one statement searches: few, so that a database uses its index for them. */
const TOGETHER = 32

/** What a search looks for. */
interface Search {
  readonly owner: string
  readonly words: readonly string[]
  /** The function that returns the position of one text in another. */
  readonly position: string
}

/** Yields the conversations whose history has a message with all words, with the last such message. */
export async function* searchConversations(
  database: SqlDatabase,
  conversations: readonly Pick<Conversation, 'id' | 'head'>[],
  search: Search,
): AsyncGenerator<SearchHit, void, undefined> {
  for (let at = 0; at < conversations.length; at += TOGETHER) {
    const some = conversations.slice(at, at + TOGETHER)
    const ids = some.map(({ id }) => id)
    await readOld(database, search.owner, ids)
    const candidates = await anywhereFound(database, ids, search)
    for (const { id, head } of some) {
      if (head === undefined || !candidates.has(id)) continue
      const entry = await lastFound(database, { id, head }, search)
      if (entry) yield { conversationId: id, entry }
    }
  }
}

/** The conversations with such a message on any branch. */
async function anywhereFound(
  session: SqlSession,
  ids: readonly string[],
  search: Search,
): Promise<ReadonlySet<string>> {
  const [where, values] = conditionOf(search)
  const rows = await session.query(
    `SELECT DISTINCT conversation_id FROM search_texts
      WHERE owner = ? AND conversation_id IN (${placeholders(TOGETHER)}) AND ${where}`,
    [search.owner, ...padded(ids), ...values],
  )
  return new Set(rows.map((row) => String(row['conversation_id'])))
}

/** The last such message on the path to the head. Reads no contents but that of this message. */
async function lastFound(
  session: SqlSession,
  { id, head }: { readonly id: string; readonly head: string },
  search: Search,
): Promise<Entry | undefined> {
  const place = [search.owner, id] as const
  // A conversation that is deleted meanwhile has no such message.
  const reading = { session, place, assertThere: async () => undefined }
  const seq = await seqOf(reading, head)
  if (seq === undefined) return undefined
  const [where, values] = conditionOf(search)
  const rows = await session.query(
    `SELECT DISTINCT id FROM search_texts WHERE owner = ? AND conversation_id = ? AND ${where}`,
    [...place, ...values],
  )
  const ids = new Set(rows.map((row) => String(row['id'])))
  for await (const path of nodesUp(reading, { id: head, seq })) {
    const last = path.find((node) => node && ids.has(node.id))
    if (last) return entryAt(session, place, last.id)
  }
  return undefined
}

async function entryAt(session: SqlSession, place: Place, id: string): Promise<Entry | undefined> {
  const text = 'SELECT * FROM entries WHERE owner = ? AND conversation_id = ? AND id = ?'
  const [row] = await session.query(text, [...place, id])
  return row && entryIn(session, row)
}

/** The words are parameters and are found by their position, so no character of them means anything. */
function conditionOf({ words, position }: Search): readonly [string, readonly string[]] {
  return [words.map(() => `${position}(text, ?) > 0`).join(' AND '), words]
}

/** Always as many ids, since a prepared statement is kept for each number. */
function padded(ids: readonly string[]): readonly SqlValue[] {
  return Array.from({ length: TOGETHER }, (_, at) => ids[at] ?? ids[0] ?? null)
}

/** Stores the texts of conversations that an earlier version has written. The first search does so. */
async function readOld(
  database: SqlDatabase,
  owner: string,
  ids: readonly string[],
): Promise<void> {
  const rows = await database.query(
    `SELECT id FROM unsearched_conversations
      WHERE owner = ? AND id IN (${placeholders(TOGETHER)})`,
    [owner, ...padded(ids)],
  )
  for (const { id } of rows)
    await database.transaction((session) => readIn(session, [owner, String(id)]))
}

async function readIn(session: SqlSession, place: Place): Promise<void> {
  const lock = `SELECT id FROM conversations WHERE owner = ? AND id = ?${session.forUpdate}`
  if ((await session.query(lock, place)).length === 0) return
  for (let last = -1; ; ) {
    const rows = await session.query(
      `SELECT * FROM entries WHERE owner = ? AND conversation_id = ? AND seq > ?
        ORDER BY seq, id LIMIT ?`,
      [...place, last, AT_ONCE],
    )
    await insertSearchTexts(session, place, await entriesIn(session, rows))
    if (rows.length < AT_ONCE) break
    last = Number(rows.at(-1)?.['seq'])
  }
  await session.query('DELETE FROM unsearched_conversations WHERE owner = ? AND id = ?', place)
}
