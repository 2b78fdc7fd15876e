import type { Entry } from '@braidwork/agent'
import type { NewEntry } from '@braidwork/agent/internal'
import type { Message, Part } from '@braidwork/plugin'
import type { Services } from '../context.ts'
import { deletedPart } from '../wire/responses/index.ts'
import type { PathItem } from './path-items.ts'

/**
 * Deletes an item from the history of a conversation: what follows it becomes a new branch without it. The ids of all
 * other items stay. Other branches, and the response that wrote the item, keep it until they are deleted themselves.
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
  const entries = path
    .slice(from)
    .map((entry) => copyOf(entry, environment.newId('message'), removed.get(entry.id)))
  const append = { entries, parent: path[from]?.parent ?? null }
  await conversations.append(owner, id, append, environment.now())
}

/** Copies an entry, which keeps its message's id, and replaces or removes some of its parts. */
function copyOf(
  { seq: _, parent: __, createdAt: ___, ...entry }: Entry,
  id: string,
  removed: ReadonlyMap<number, Part | undefined> = new Map(),
): NewEntry {
  if (entry.kind !== 'message') return { ...entry, id }
  const message: Message = {
    ...entry.message,
    id: entry.message.id ?? entry.id,
    parts: entry.message.parts.flatMap((part, at) =>
      removed.has(at) ? (removed.get(at) ?? []) : [part],
    ),
  }
  return { ...entry, id, message }
}
