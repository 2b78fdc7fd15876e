import type { Entry, Storage } from '@braidwork/agent'
import { messageIdOf, type PathNode } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import { isAnswer, isAsked } from './path.ts'

/** How many ids before the new messages of a request are looked for: a client may have given its own to all. */
const LOOKED_FOR = 16

/** A conversation in a storage. */
export interface ConversationPlace {
  readonly storage: Pick<Storage, 'conversations' | 'files'>
  readonly owner: string
  readonly conversationId: string
}

/**
 * The entry that the new messages of a request follow, if that is not the head: the client goes on from an earlier answer
 * than the last. It is the end of the answer that the last known message before them belongs to.
 * @param before the messages of the request before the new ones
 * @param shown the end of the conversation's path
 */
export async function branchedFrom(
  before: readonly Message[],
  shown: readonly PathNode[],
  stored: ConversationPlace,
): Promise<string | undefined> {
  const ids = lookedFor(before)
  if (ids.length === 0) return undefined
  if (placeIn(shown, ids[0]) >= 0) return endIn(shown, placeIn(shown, ids[0]))
  const { storage, owner, conversationId } = stored
  const known = await storage.conversations.knownMessages(owner, conversationId, ids)
  const last = ids.find((id) => known.has(id))
  if (last === undefined) return undefined
  const at = placeIn(shown, last)
  return at >= 0 ? endIn(shown, at) : endElsewhere(last, stored)
}

/** The last entry of the newest branch with a message, if there is one. Of messages with one id, the newest counts. */
export async function branchWith(
  messageId: string,
  { storage, owner, conversationId }: ConversationPlace,
): Promise<string | undefined> {
  const all = await storage.conversations.entries(owner, conversationId)
  const named = namedIn(all, messageId)
  return named && newestBelow(all, named.id)
}

/** The entry that was added last to the branches below an entry, or that entry. Undefined if it is not among them. */
export function newestBelow(entries: readonly Entry[], id: string): string | undefined {
  const below = new Set([id])
  let newest: string | undefined
  for (const entry of entries) {
    if (entry.id !== id && !below.has(entry.parent ?? '')) continue
    below.add(entry.id)
    newest = entry.id
  }
  return newest
}

/** The ids of the last messages that are looked for in a conversation, the last one first. */
export function lookedFor(messages: readonly Message[]): readonly string[] {
  return messages.toReversed().flatMap(idsOf).slice(0, LOOKED_FOR)
}

/** The ids that the server may have for a message. A client that shows an answer as several makes theirs from its id. */
export function idsOf(message: Pick<Message, 'id' | 'role'>): readonly string[] {
  const { id } = message
  if (id === undefined) return []
  const dot = id.indexOf('.')
  return isAnswer(message) && dot > 0 ? [id, id.slice(0, dot)] : [id]
}

function placeIn(path: readonly PathNode[], messageId: string | undefined): number {
  return path.findLastIndex(({ message }) => message?.id === messageId && message !== undefined)
}

/** The end of the answer at a place of a path, or undefined if nothing was asked after it. */
function endIn(path: readonly PathNode[], at: number): string | undefined {
  const next = path.findIndex((node, index) => index > at && isAsked(node))
  return next < 0 ? undefined : path[next - 1]?.entryId
}

/** As {@link endIn}, for a message that is on another branch, or further up than the model is shown. */
async function endElsewhere(
  messageId: string,
  { storage: { conversations }, owner, conversationId }: ConversationPlace,
): Promise<string | undefined> {
  const path = await conversations.history(owner, conversationId)
  const onPath = namedIn(path, messageId)
  const all = onPath ? path : await conversations.entries(owner, conversationId)
  let end = onPath ?? namedIn(all, messageId)
  const next = new Map(all.flatMap((entry) => (goesOn(entry) ? [[entry.parent, entry]] : [])))
  for (let at = end; at; at = next.get(at.id)) end = at
  return end?.id === path.at(-1)?.id ? undefined : end?.id
}

function namedIn(entries: readonly Entry[], messageId: string): Entry | undefined {
  return entries.findLast((entry) => messageIdOf(entry) === messageId)
}

/** Whether an entry is part of the answer above it, or a summary behind that. */
function goesOn(entry: Entry): boolean {
  return entry.kind === 'compaction' || !isAsked(entry)
}
