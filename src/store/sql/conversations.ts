import type {
  Conversation,
  ConversationChange,
  ConversationPage,
  ConversationStorage,
  Entry,
  EntryContent,
  NewConversation,
  NewEntry,
} from '../../agent/storage/index.ts'
import { HostError } from '../../errors.ts'
import { conversationUnknown, entryUnknown } from '../faults.ts'
import { ifPresent, jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'

const PAGE = 50

export interface Append {
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
}

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
    throw new HostError('CONVERSATION_EXISTS', `A conversation "${id}" is there already.`)
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
      if (change.head) await assertEntry(session, id, change.head)
      const [row] = await session.query(
        `UPDATE conversations SET title = ?, head = ?, metadata = ?, updated_at = ?
          WHERE id = ? RETURNING *`,
        [title, head, JSON.stringify(metadata), now, id],
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
      await session.query('DELETE FROM files WHERE conversation_id = ?', [id])
      await session.query('DELETE FROM plugin_values WHERE conversation_id = ?', [id])
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
    [owner, id]: readonly [owner: string, id: string],
    { entries, parent }: Append,
    now: number,
  ): Promise<void> {
    const { head } = await this.locked(session, owner, id)
    if (typeof parent === 'string') await assertEntry(session, id, parent)
    if (entries.length === 0 && parent === undefined) return
    let above = parent === undefined ? (head ?? null) : parent
    let seq = await entryCount(session, id)
    for (const entry of entries) {
      const { id: entryId, runId = null, kind, ...content } = entry
      const added = await session.query(
        `INSERT INTO entries (conversation_id, id, parent, seq, run_id, kind, content, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
        [id, entryId, above, seq, runId, kind, JSON.stringify(content), now],
      )
      seq += added.length
      above = entryId
    }
    await session.query('UPDATE conversations SET head = ?, updated_at = ? WHERE id = ?', [
      above,
      now,
      id,
    ])
  }

  async history(owner: string, id: string, at?: string): Promise<readonly Entry[]> {
    const conversation = await this.load(owner, id)
    if (!conversation) throw conversationUnknown(id)
    const last = at ?? conversation.head
    if (last === undefined) return []
    const rows = await this.#database.query(
      `WITH RECURSIVE path AS (
        SELECT * FROM entries WHERE conversation_id = ? AND id = ?
        UNION ALL
        SELECT above.* FROM entries above JOIN path ON above.id = path.parent
          WHERE above.conversation_id = ?
      ) SELECT * FROM path ORDER BY seq`,
      [id, last, id],
    )
    if (rows.length === 0) throw entryUnknown(last)
    return rows.map(entryIn)
  }

  async entries(owner: string, id: string): Promise<readonly Entry[]> {
    if (!(await this.load(owner, id))) throw conversationUnknown(id)
    const rows = await this.#database.query(
      'SELECT * FROM entries WHERE conversation_id = ? ORDER BY seq',
      [id],
    )
    return rows.map(entryIn)
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

export function conversationIn(row: Row): Conversation {
  return {
    id: String(row['id']),
    owner: String(row['owner']),
    agent: String(row['agent']),
    sender: String(row['sender']),
    ...ifPresent('title', row['title'], String),
    ...ifPresent('head', row['head'], String),
    metadata: jsonIn(row['metadata']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  }
}

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

async function assertEntry(session: SqlSession, id: string, entry: string): Promise<void> {
  const rows = await session.query('SELECT id FROM entries WHERE conversation_id = ? AND id = ?', [
    id,
    entry,
  ])
  if (rows.length === 0) throw entryUnknown(entry)
}

async function entryCount(session: SqlSession, id: string): Promise<number> {
  const [row] = await session.query(
    'SELECT count(*) AS count FROM entries WHERE conversation_id = ?',
    [id],
  )
  return Number(row?.['count'])
}
