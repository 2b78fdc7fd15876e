import type { Conversation, Entry } from '@braidwork/agent'
import {
  type Append,
  bytesOf,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  conversationExists,
  conversationUnknown,
  type ListedConversation,
  type NewConversation,
  type SearchHit,
} from '@braidwork/agent/internal'
import { conversationIn, listedIn } from './conversation-row.ts'
import type { Row, SqlDatabase, SqlSession } from './database.ts'
import { deleteConversation } from './delete-conversation.ts'
import { assertEntry, insertEntries, type Place } from './entries.ts'
import { knownMessages } from './known-messages.ts'
import { lockedAt } from './locked-conversation.ts'
import { entriesOf, pathUp, type Reading } from './read-entries.ts'
import { searchConversations } from './search.ts'
import { charge, sizeIn } from './usage.ts'

const PAGE = 50

export class SqlConversations implements ConversationStorage {
  readonly #database: SqlDatabase
  readonly #position: string

  /** @param position the function of the database that returns the position of one text in another */
  constructor(database: SqlDatabase, position: string) {
    this.#database = database
    this.#position = position
  }

  async create(given: NewConversation, now: number): Promise<Conversation> {
    const { id, owner, agent, sender, title = null, metadata = {}, expiresAt = null } = given
    const kept = JSON.stringify(metadata)
    const bytes = bytesOf(kept, title)
    return this.#database.transaction(async (session) => {
      const [row] = await session.query(
        `INSERT INTO conversations
            (id, owner, agent, sender, title, metadata, created_at, updated_at, bytes, expires_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *`,
        [id, owner, agent, sender, title, kept, now, now, bytes, expiresAt],
      )
      if (!row) throw conversationExists(id)
      await charge(session, owner, { bytes, conversations: 1 })
      return conversationIn(row)
    })
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

  size(owner: string, id: string): Promise<number> {
    const text = 'SELECT bytes AS size FROM conversations WHERE id = ? AND owner = ?'
    return sizeIn(this.#database, text, [id, owner])
  }

  async list(
    owner: string,
    { limit = PAGE, before }: ConversationPage = {},
  ): Promise<readonly ListedConversation[]> {
    const isBefore = before ? 'AND (updated_at, id) < (?, ?)' : ''
    const place = before ? [before.updatedAt, before.id] : []
    const rows = await this.#database.query(
      `SELECT id, owner, agent, sender, title, head, created_at, updated_at
        FROM conversations WHERE owner = ? AND expires_at IS NULL ${isBefore}
        ORDER BY updated_at DESC, id DESC LIMIT ?`,
      [owner, ...place, limit],
    )
    return rows.map(listedIn)
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
      const { metadata = old.metadata, expiresAt = old.expiresAt ?? null } = change
      if (change.head) await assertEntry(session, [owner, id], change.head)
      const kept = JSON.stringify(metadata)
      const bytes = bytesOf(kept, title) - bytesOf(JSON.stringify(old.metadata), old.title)
      const [row] = await session.query(
        `UPDATE conversations SET title = ?, head = ?, metadata = ?, updated_at = ?,
          expires_at = ?, bytes = bytes + ? WHERE owner = ? AND id = ? RETURNING *`,
        [title, head, kept, now, expiresAt, bytes, owner, id],
      )
      await charge(session, owner, { bytes })
      return conversationIn(row as Row)
    })
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const isDeleted = await this.#database.transaction(async (session) => {
      const rows = await session.query(
        `SELECT id FROM conversations WHERE id = ? AND owner = ?${session.forUpdate}`,
        [id, owner],
      )
      if (rows.length > 0) await deleteConversation(session, [owner, id])
      return rows.length > 0
    })
    this.#database.reclaim()
    return isDeleted
  }

  async expire(now: number): Promise<number> {
    for (let count = 0; ; ) {
      const old = await this.#database.query(
        'SELECT owner, id FROM conversations WHERE expires_at < ? LIMIT ?',
        [now, PAGE],
      )
      if (old.length === 0) return count
      for (const { owner, id } of old) {
        if (await this.delete(String(owner), String(id))) count++
      }
    }
  }

  append(owner: string, id: string, append: Append, now: number): Promise<void> {
    return this.#database.transaction(async (session) => {
      const bytes = await this.appendIn(session, [owner, id], append, now)
      await charge(session, owner, { bytes })
    })
  }

  /** Appends entries within a transaction. Returns the bytes added, which the caller has to charge to the owner. */
  async appendIn(
    session: SqlSession,
    place: Place,
    { entries, parent, createdAt }: Append,
    now: number,
  ): Promise<number> {
    const { head } = await lockedAt(session, place, createdAt)
    if (typeof parent === 'string') await assertEntry(session, place, parent)
    if (entries.length === 0 && parent === undefined) return 0
    const above = parent === undefined ? (head ?? null) : parent
    const bytes = await insertEntries(session, place, { entries, parent: above }, now)
    await session.query(
      `UPDATE conversations SET head = ?, updated_at = ?, bytes = bytes + ?
        WHERE owner = ? AND id = ?`,
      [entries.at(-1)?.id ?? above, now, bytes, ...place],
    )
    return bytes
  }

  async history(owner: string, id: string, at?: string): Promise<readonly Entry[]> {
    const path: Entry[] = []
    for await (const entry of this.above(owner, id, at)) path.push(entry)
    return path.reverse()
  }

  async *above(owner: string, id: string, at?: string): AsyncGenerator<Entry, void, undefined> {
    const conversation = await this.#known(owner, id)
    const last = at ?? conversation.head
    if (last !== undefined) yield* pathUp(this.#reading(conversation), last)
  }

  search(
    owner: string,
    conversations: readonly Pick<Conversation, 'id' | 'head'>[],
    words: readonly string[],
  ): AsyncIterable<SearchHit> {
    const search = { owner, words, position: this.#position }
    return searchConversations(this.#database, conversations, search)
  }

  async lastOf(owner: string, id: string, runId: string): Promise<string | undefined> {
    const [row] = await this.#database.query(
      `SELECT id FROM entries WHERE run_id = ? AND owner = ? AND conversation_id = ?
        ORDER BY seq DESC LIMIT 1`,
      [runId, owner, id],
    )
    return row && String(row['id'])
  }

  async knownMessages(
    owner: string,
    id: string,
    messages: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return knownMessages(this.#reading(await this.#known(owner, id)), messages)
  }

  async entries(owner: string, id: string): Promise<readonly Entry[]> {
    return entriesOf(this.#reading(await this.#known(owner, id)))
  }

  async #known(owner: string, id: string): Promise<Conversation> {
    const conversation = await this.load(owner, id)
    if (!conversation) throw conversationUnknown(id)
    return conversation
  }

  /** A new conversation with the same id is another one. */
  #reading({ owner, id, createdAt }: Conversation): Reading {
    const assertThere = async () => {
      const conversation = await this.load(owner, id)
      if (conversation?.createdAt !== createdAt) throw conversationUnknown(id)
    }
    return { session: this.#database, place: [owner, id], assertThere }
  }

  /** Loads a conversation and locks it until the transaction ends. @throws {HostError} CONVERSATION_UNKNOWN */
  locked(session: SqlSession, owner: string, id: string): Promise<Conversation> {
    return lockedAt(session, [owner, id])
  }
}
