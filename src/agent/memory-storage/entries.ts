import {
  type Append,
  conversationUnknown,
  type Entry,
  entryUnknown,
  messageIdOf,
} from '../storage/index.ts'
import { present } from './present.ts'
import type { ConversationRow } from './tables.ts'
import { jsonSizes } from './usage.ts'

/** Entries with their sizes in bytes. Measuring takes longer than appending, so it happens beforehand. */
export interface MeasuredAppend extends Append {
  readonly sizes: readonly number[]
}

/**
 * Yields the entries from `at` (default: the head) up to the root. Each parent has a lower `seq` than its child;
 * the walk stops at one that has not, so it always ends.
 */
export function* pathUp({ entries, conversation }: ConversationRow, at?: string): Generator<Entry> {
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
export function appendEntries(
  row: ConversationRow,
  { entries, sizes, parent, createdAt }: MeasuredAppend,
  now: number,
): number {
  assertCreatedAt(row, createdAt)
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

/** @throws {HostError} CONVERSATION_UNKNOWN if the conversation was created at another time */
export function assertCreatedAt(
  { conversation }: Pick<ConversationRow, 'conversation'>,
  createdAt = conversation.createdAt,
): void {
  if (conversation.createdAt !== createdAt) throw conversationUnknown(conversation.id)
}

/** Stores an entry unless its id exists. Returns whether it stored it. */
export function addEntry(row: ConversationRow, entry: Entry): boolean {
  if (row.entries.has(entry.id)) return false
  row.entries.set(entry.id, entry)
  row.last = entry.id
  const messageId = messageIdOf(entry)
  if (messageId !== undefined) row.messageIds.add(messageId)
  if (entry.runId !== undefined) row.lastOf.set(entry.runId, entry.id)
  return true
}
