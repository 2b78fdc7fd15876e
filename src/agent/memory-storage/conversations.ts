import {
  type Append,
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  conversationExists,
  conversationKey,
  conversationUnknown,
  type Entry,
  entryUnknown,
  type ListedConversation,
  type NewConversation,
  type SearchHit,
} from '../storage/index.ts'
import { appendEntries, type MeasuredAppend, measure, pathUp } from './entries.ts'
import { removeFiles } from './files.ts'
import { present } from './present.ts'
import { removeRun } from './remove-run.ts'
import { searchRows } from './search.ts'
import type { ConversationRow, Tables } from './tables.ts'
import { charge, jsonBytes, ownBytes } from './usage.ts'

const PAGE = 50

export class MemoryConversations implements ConversationStorage {
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  async create(given: NewConversation, now: number): Promise<Conversation> {
    const key = conversationKey(given.owner, given.id)
    if (this.#tables.conversations.has(key)) throw conversationExists(given.id)
    const conversation = { metadata: {}, ...given, createdAt: now, updatedAt: now }
    addConversation(this.#tables, conversation)
    return conversation
  }

  async load(owner: string, id: string): Promise<Conversation | undefined> {
    return this.#row(owner, id)?.conversation
  }

  async latest(owner: string, agent: string, sender: string): Promise<Conversation | undefined> {
    return this.#owned(owner).findLast((one) => one.agent === agent && one.sender === sender)
  }

  async list(owner: string, page: ConversationPage = {}): Promise<readonly ListedConversation[]> {
    const { limit = PAGE, before } = page
    const kept = this.#owned(owner).filter(({ expiresAt }) => expiresAt === undefined)
    const sorted = kept.sort(lastFirst)
    const rest = before ? sorted.filter((one) => lastFirst(before, one) < 0) : sorted
    return rest.slice(0, limit).map(({ metadata: _, ...listed }) => listed)
  }

  async update(
    owner: string,
    id: string,
    { title, metadata, head, expiresAt }: ConversationChange,
    now: number,
  ): Promise<Conversation> {
    const row = this.rowOf(owner, id)
    if (typeof head === 'string' && !row.entries.has(head)) throw entryUnknown(head)
    const { title: oldTitle, head: oldHead, expiresAt: oldExpiry, ...rest } = row.conversation
    const before = ownBytes(row.conversation)
    const changed: Conversation = {
      ...rest,
      ...present('title', title === undefined ? oldTitle : title),
      ...present('head', head === undefined ? oldHead : head),
      ...present('expiresAt', expiresAt === undefined ? oldExpiry : expiresAt),
      ...(metadata === undefined ? {} : { metadata }),
      updatedAt: now,
    }
    row.conversation = changed
    this.#grow(row, ownBytes(changed) - before)
    return changed
  }

  async delete(owner: string, id: string): Promise<boolean> {
    const row = this.#row(owner, id)
    if (!row) return false
    for (const runId of row.runs) removeRun(this.#tables, runId)
    removeFiles(this.#tables, owner, id)
    const key = conversationKey(owner, id)
    const values = [...(this.#tables.values.get(key)?.values() ?? [])]
    const kept = values.flatMap((one) => [...one.values.values()].map(jsonBytes))
    charge(this.#tables, owner, {
      bytes: -kept.reduce((sum, bytes) => sum + bytes, row.bytes),
      conversations: -1,
    })
    this.#tables.values.delete(key)
    this.#tables.conversationsOf.delete(owner, key)
    return this.#tables.conversations.delete(key)
  }

  async expire(now: number): Promise<number> {
    const all = [...this.#tables.conversations.values()].map(({ conversation }) => conversation)
    const old = all.filter(({ expiresAt = now }) => expiresAt < now)
    for (const { owner, id } of old) await this.delete(owner, id)
    return old.length
  }

  async append(owner: string, id: string, append: Append, now: number): Promise<void> {
    const measured = await measure(append)
    this.appendTo(this.rowOf(owner, id), measured, now)
  }

  /** Appends to a row that the caller has already loaded. */
  appendTo(row: ConversationRow, append: MeasuredAppend, now: number): void {
    this.#grow(row, appendEntries(row, append, now))
  }

  #grow(row: ConversationRow, bytes: number): void {
    row.bytes += bytes
    charge(this.#tables, row.conversation.owner, { bytes })
  }

  async size(owner: string, id: string): Promise<number> {
    return this.#row(owner, id)?.bytes ?? 0
  }

  async history(owner: string, id: string, at?: string): Promise<readonly Entry[]> {
    const path: Entry[] = []
    for (const entry of pathUp(this.rowOf(owner, id), at)) path.push(entry)
    return path.reverse()
  }

  async *above(owner: string, id: string, at?: string): AsyncGenerator<Entry, void, undefined> {
    yield* pathUp(this.rowOf(owner, id), at)
  }

  async knownMessages(
    owner: string,
    id: string,
    messages: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { messageIds } = this.rowOf(owner, id)
    return new Set(messages.filter((one) => messageIds.has(one)))
  }

  search(
    owner: string,
    conversations: readonly Pick<Conversation, 'id'>[],
    words: readonly string[],
  ): AsyncIterable<SearchHit> {
    return searchRows(
      conversations.flatMap(({ id }) => this.#row(owner, id) ?? []),
      words,
    )
  }

  async lastOf(owner: string, id: string, runId: string): Promise<string | undefined> {
    return this.#row(owner, id)?.lastOf.get(runId)
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
    const { conversations, conversationsOf } = this.#tables
    return conversationsOf.of(owner).flatMap((key) => conversations.get(key)?.conversation ?? [])
  }
}

/** Returns a row for a conversation without entries. */
function conversationRow(conversation: Conversation): ConversationRow {
  const bytes = ownBytes(conversation)
  return {
    conversation,
    bytes,
    entries: new Map(),
    messageIds: new Set(),
    lastOf: new Map(),
    runs: new Set(),
  }
}

/** Stores a conversation unless its id exists. Returns whether it stored it. */
export function addConversation(tables: Tables, conversation: Conversation): boolean {
  const { owner, id } = conversation
  const key = conversationKey(owner, id)
  if (tables.conversations.has(key)) return false
  tables.conversations.set(key, conversationRow(conversation))
  tables.conversationsOf.add(owner, key)
  charge(tables, owner, { bytes: ownBytes(conversation), conversations: 1 })
  return true
}

type Place = Pick<Conversation, 'updatedAt' | 'id'>

function lastFirst(left: Place, right: Place): number {
  return right.updatedAt - left.updatedAt || (left.id < right.id ? 1 : left.id > right.id ? -1 : 0)
}
