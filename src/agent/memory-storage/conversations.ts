import {
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
  type NewEntry,
} from '../storage/index.ts'
import { removeFiles } from './files.ts'
import { removeRun } from './remove-run.ts'
import type { ConversationRow, Tables } from './tables.ts'
import { charge, jsonBytes, jsonSizes, ownBytes } from './usage.ts'

const PAGE = 50

export interface Append {
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
}

/** Entries with their sizes in bytes. Measuring takes longer than appending, so it happens beforehand. */
export interface MeasuredAppend extends Append {
  readonly sizes: readonly number[]
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
    this.#grow(row, appendTo(row, append, now))
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
  return { conversation, bytes, entries: new Map(), lastOf: new Map(), runs: new Set() }
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

/**
 * Yields the entries from `at` (default: the head) up to the root. Each parent has a lower `seq` than its child;
 * the walk stops at one that has not, so it always ends.
 */
function* pathUp({ entries, conversation }: ConversationRow, at?: string): Generator<Entry> {
  const last = at ?? conversation.head
  if (last === undefined) return
  let entry = entries.get(last)
  if (!entry) throw entryUnknown(last)
  for (let parent: Entry | undefined; entry; entry = parent) {
    yield entry
    parent = entry.parent === undefined ? undefined : entries.get(entry.parent)
    if (parent && parent.seq >= entry.seq) return
  }
}

export async function measure(append: Append): Promise<MeasuredAppend> {
  return { ...append, sizes: await jsonSizes(append.entries) }
}

/**
 * Appends entries below a parent and moves the head to the last one. Changes nothing if the parent does not exist.
 * Returns the number of bytes added.
 */
function appendTo(
  row: ConversationRow,
  { entries, sizes, parent }: MeasuredAppend,
  now: number,
): number {
  if (typeof parent === 'string' && !row.entries.has(parent)) throw entryUnknown(parent)
  if (entries.length === 0 && parent === undefined) return 0
  let bytes = 0
  let above = parent === undefined ? row.conversation.head : (parent ?? undefined)
  for (const [index, entry] of entries.entries()) {
    if (!row.entries.has(entry.id)) {
      const seq = (row.entries.get(row.last ?? '')?.seq ?? -1) + 1
      bytes += sizes[index] ?? 0
      addEntry(row, { ...entry, ...present('parent', above), seq, createdAt: now })
    }
    above = entry.id
  }
  const { head: _, ...rest } = row.conversation
  row.conversation = { ...rest, ...present('head', above), updatedAt: now }
  return bytes
}

/** Stores an entry unless its id exists. Returns whether it stored it. */
export function addEntry(row: ConversationRow, entry: Entry): boolean {
  if (row.entries.has(entry.id)) return false
  row.entries.set(entry.id, entry)
  row.last = entry.id
  if (entry.runId !== undefined) row.lastOf.set(entry.runId, entry.id)
  return true
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
