import {
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  conversationKey,
  type Entry,
  type NewConversation,
} from '../../agent/storage/index.ts'
import { conversationExists, conversationUnknown } from '../faults.ts'
import { conversationIn } from './conversation-row.ts'
import type { Row, SqlDatabase, SqlSession } from './database.ts'
import {
  type Append,
  assertEntry,
  entriesOf,
  insertEntries,
  type Place,
  pathTo,
} from './entries.ts'

const PAGE = 50

export class SqlConversations implements ConversationStorage {
  readonly #database: SqlDatabase

  constructor(database: SqlDatabase) {
    this.#database = database
  }

  async create(given: NewConversation, now: number): Promise<Conversation> {
    const { id, owner, agent, sender, title = null, metadata = {} } = given
    const [row] = await this.#database.query(
      `INSERT INTO conversations (id, owner, agent, sender, title, metadata, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
      [id, owner, agent, sender, title, JSON.stringify(metadata), now, now],
    )
    if (row) return conversationIn(row)
    throw conversationExists(id)
  }

  async load(owner: string, id: string): Promise<Conversation | undefined> {
    const [row] = await this.#database.query(
      'SELECT * FROM conversations WHERE id = ? AND owner = ?',
      [id, owner],
    )
    return row && conversationIn(row)
  }

  async latest(owner: string, agent: string, sender: string): Promise<Conversation | undefined> {
    const [row] = await this.#database.query(
      `SELECT * FROM conversations WHERE owner = ? AND agent = ? AND sender = ?
        ORDER BY created_at DESC, id DESC LIMIT 1`,
      [owner, agent, sender],
    )
    return row && conversationIn(row)
  }

  async list(
    owner: string,
    { limit = PAGE, before }: ConversationPage = {},
  ): Promise<readonly Conversation[]> {
    const isBefore = before ? 'AND (updated_at < ? OR (updated_at = ? AND id < ?))' : ''
    const place = before ? [before.updatedAt, before.updatedAt, before.id] : []
    const rows = await this.#database.query(
      `SELECT * FROM conversations WHERE owner = ? ${isBefore}
        ORDER BY updated_at DESC, id DESC LIMIT ?`,
      [owner, ...place, limit],
    )
    return rows.map(conversationIn)
  }

  update(
    owner: string,
    id: string,
    change: ConversationChange,
    now: number,
  ): Promise<Conversation> {
    return this.#database.transaction(async (session) => {
      const old = await this.locked(session, owner, id)
      const { title = old.title ?? null, head = old.head ?? null } = change
      const { metadata = old.metadata } = change
      if (change.head) await assertEntry(session, [owner, id], change.head)
      const [row] = await session.query(
        `UPDATE conversations SET title = ?, head = ?, metadata = ?, updated_at = ?
          WHERE owner = ? AND id = ? RETURNING *`,
        [title, head, JSON.stringify(metadata), now, owner, id],
      )
      return conversationIn(row as Row)
    })
  }

  delete(owner: string, id: string): Promise<boolean> {
    return this.#database.transaction(async (session) => {
      const rows = await session.query(
        'DELETE FROM conversations WHERE id = ? AND owner = ? RETURNING id',
        [id, owner],
      )
      if (rows.length === 0) return false
      await session.query('DELETE FROM files WHERE owner = ? AND conversation_id = ?', [owner, id])
      await session.query('DELETE FROM plugin_values WHERE conversation_id = ?', [
        conversationKey(owner, id),
      ])
      await session.query('DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM files)')
      return true
    })
  }

  append(owner: string, id: string, append: Append, now: number): Promise<void> {
    return this.#database.transaction((session) => this.appendIn(session, [owner, id], append, now))
  }

  /** The same within a transaction. */
  async appendIn(
    session: SqlSession,
    place: Place,
    { entries, parent }: Append,
    now: number,
  ): Promise<void> {
    const { head } = await this.locked(session, ...place)
    if (typeof parent === 'string') await assertEntry(session, place, parent)
    if (entries.length === 0 && parent === undefined) return
    const above = parent === undefined ? (head ?? null) : parent
    await insertEntries(session, place, { entries, parent: above }, now)
    await session.query(
      'UPDATE conversations SET head = ?, updated_at = ? WHERE owner = ? AND id = ?',
      [entries.at(-1)?.id ?? above, now, ...place],
    )
  }

  async history(owner: string, id: string, at?: string): Promise<readonly Entry[]> {
    const conversation = await this.load(owner, id)
    if (!conversation) throw conversationUnknown(id)
    const last = at ?? conversation.head
    return last === undefined ? [] : pathTo(this.#database, [owner, id], last)
  }

  async entries(owner: string, id: string): Promise<readonly Entry[]> {
    if (!(await this.load(owner, id))) throw conversationUnknown(id)
    return entriesOf(this.#database, [owner, id])
  }

  /** A conversation that stays as it is until the transaction ends. @throws {HostError} CONVERSATION_UNKNOWN */
  async locked(session: SqlSession, owner: string, id: string): Promise<Conversation> {
    const [row] = await session.query(
      `SELECT * FROM conversations WHERE id = ? AND owner = ?${this.#database.forUpdate}`,
      [id, owner],
    )
    if (!row) throw conversationUnknown(id)
    return conversationIn(row)
  }
}
