import {
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  conversationKey,
  type Entry,
  type NewConversation,
  type NewEntry,
} from '../../agent/storage/index.ts'
import { conversationExists, conversationUnknown, entryUnknown } from '../faults.ts'
import type { ConversationRow, Tables } from './tables.ts'

const PAGE = 50

export interface Append {
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
}

export class MemoryConversations implements ConversationStorage {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  async create(given: NewConversation, now: number): Promise<Conversation> {
    const key = conversationKey(given.owner, given.id)
    if (this.#tables.conversations.has(key)) throw conversationExists(given.id)
    const conversation = { metadata: {}, ...given, createdAt: now, updatedAt: now }
    this.#tables.conversations.set(key, {
      conversation,
      entries: new Map(),
      runs: new Set(),
    })
    return conversation
  }

  async load(owner: string, id: string): Promise<Conversation | undefined> {
    return this.#row(owner, id)?.conversation
  }

  async latest(owner: string, agent: string, sender: string): Promise<Conversation | undefined> {
    return this.#owned(owner).findLast((one) => one.agent === agent && one.sender === sender)
  }

  async list(owner: string, page: ConversationPage = {}): Promise<readonly Conversation[]> {
    const { limit = PAGE, before } = page
    const sorted = this.#owned(owner).sort(lastFirst)
    const rest = before ? sorted.filter((one) => lastFirst(before, one) < 0) : sorted
    return rest.slice(0, limit)
  }

  async update(
    owner: string,
    id: string,
    { title, metadata, head }: ConversationChange,
    now: number,
  ): Promise<Conversation> {
    const row = this.rowOf(owner, id)
    if (typeof head === 'string' && !row.entries.has(head)) throw entryUnknown(head)
    const { title: oldTitle, head: oldHead, ...rest } = row.conversation
    const changed: Conversation = {
      ...rest,
      ...present('title', title === undefined ? oldTitle : title),
      ...present('head', head === undefined ? oldHead : head),
      ...(metadata === undefined ? {} : { metadata }),
      updatedAt: now,
    }
    row.conversation = changed
    return changed
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const row = this.#row(owner, id)
    if (!row) return false
    const { conversations, runs, approvals } = this.#tables
    for (const runId of row.runs) {
      runs.delete(runId)
      for (const approval of approvals.values()) {
        if (approval.runId === runId) approvals.delete(approval.id)
      }
    }
    this.#tables.files = this.#tables.files.filter(
      (file) => file.owner !== owner || file.conversationId !== id,
    )
    const conversation = conversationKey(owner, id)
    for (const [key, values] of this.#tables.values) {
      if (values.conversationId === conversation) this.#tables.values.delete(key)
    }
    return conversations.delete(conversation)
  }

  async append(owner: string, id: string, append: Append, now: number): Promise<void> {
    appendTo(this.rowOf(owner, id), append, now)
  }

  async history(owner: string, id: string, at?: string): Promise<readonly Entry[]> {
    const { entries, conversation } = this.rowOf(owner, id)
    const path: Entry[] = []
    for (let next = at ?? conversation.head; next !== undefined; ) {
      const entry = entries.get(next)
      if (!entry) throw entryUnknown(next)
      path.push(entry)
      next = entry.parent
    }
    return path.reverse()
  }

  async entries(owner: string, id: string): Promise<readonly Entry[]> {
    return [...this.rowOf(owner, id).entries.values()]
  }

  /** @throws {HostError} CONVERSATION_UNKNOWN */
  rowOf(owner: string, id: string): ConversationRow {
    const row = this.#row(owner, id)
    if (!row) throw conversationUnknown(id)
    return row
  }

  #row(owner: string, id: string): ConversationRow | undefined {
    return this.#tables.conversations.get(conversationKey(owner, id))
  }

  #owned(owner: string): Conversation[] {
    return [...this.#tables.conversations.values()]
      .map(({ conversation }) => conversation)
      .filter((conversation) => conversation.owner === owner)
  }
}

/** Appends entries below a parent and moves the head; nothing is changed where the parent is not there. */
export function appendTo(row: ConversationRow, { entries, parent }: Append, now: number): void {
  if (typeof parent === 'string' && !row.entries.has(parent)) throw entryUnknown(parent)
  if (entries.length === 0 && parent === undefined) return
  let above = parent === undefined ? row.conversation.head : (parent ?? undefined)
  for (const entry of entries) {
    if (!row.entries.has(entry.id)) {
      const seq = row.entries.size
      const placed = { ...entry, ...present('parent', above), seq, createdAt: now }
      row.entries.set(entry.id, placed)
    }
    above = entry.id
  }
  const { head: _, ...rest } = row.conversation
  row.conversation = { ...rest, ...present('head', above), updatedAt: now }
}

function present<K extends string, V>(
  key: K,
  value: V | null | undefined,
): { readonly [P in K]?: V } {
  return value === undefined || value === null ? {} : ({ [key]: value } as { readonly [P in K]: V })
}

type Place = Pick<Conversation, 'updatedAt' | 'id'>

function lastFirst(left: Place, right: Place): number {
  return right.updatedAt - left.updatedAt || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0)
}
