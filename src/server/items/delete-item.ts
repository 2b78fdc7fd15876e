import { copiedEntries, deletedPart, type NewEntry } from '@braidwork/agent/internal'
import type { Message, Part } from '@braidwork/plugin'
import type { Services } from '../context.ts'
import type { PathItem } from './path-items.ts'

/**
 * Deletes an item from the history of a conversation: what follows it becomes a new branch without it. The ids of all
 * other items stay. Compactions after the item are left out, since their summaries and archives tell it: the model is
 * shown the messages themselves again. Other branches, and the response that wrote the item, keep it until they are
 * deleted themselves.
 */
export async function deleteItem(
  { storage, environment }: Pick<Services, 'storage' | 'environment'>,
  { owner, id }: { readonly owner: string; readonly id: string },
  item: PathItem,
): Promise<void> {
  const { conversations } = storage
  const path = await conversations.history(owner, id)
  const removed = new Map<string, Map<number, Part | undefined>>()
  for (const [index, { message, part }] of item.parts.entries()) {
    const entryId = item.entries[message]?.id ?? ''
    const parts = removed.get(entryId) ?? new Map<number, Part | undefined>()
    parts.set(part, index === item.parts.length - 1 ? deletedPart() : undefined)
    removed.set(entryId, parts)
  }
  const from = path.findIndex((entry) => removed.has(entry.id))
  if (from < 0) return
  const old = path.slice(from)
  const copies = copiedEntries(old, () => environment.newId('message'))
  const entries = copies
    .map((copy, at) => without(copy, old[at]?.id, removed))
    .filter(({ kind }) => kind !== 'compaction')
  const append = { entries, parent: path[from]?.parent ?? null }
  await conversations.append(owner, id, append, environment.now())
}

/** A copy of an entry, whose message keeps its id, with some of its parts replaced or removed. */
function without(
  copy: NewEntry,
  id: string | undefined,
  removed: ReadonlyMap<string | undefined, ReadonlyMap<number, Part | undefined>>,
): NewEntry {
  if (copy.kind !== 'message') return copy
  const own = removed.get(id)
  const { parts, id: messageId = id } = copy.message
  const message: Message = {
    ...copy.message,
    ...(messageId === undefined ? {} : { id: messageId }),
    parts: parts.flatMap((part, at) => (own?.has(at) ? (own.get(at) ?? []) : [part])),
  }
  return { ...copy, message }
}
