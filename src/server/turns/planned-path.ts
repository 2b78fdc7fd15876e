import {
  loadShownNodes,
  nodesOf,
  type PathNode,
  withArchiveChecked,
} from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import type { WireRequest } from '../wire/index.ts'
import { branchedFrom, branchWith, type ConversationPlace, idsOf, lookedFor } from './branch.ts'
import { isAnswer, isAsked } from './path.ts'

/** The stored part of a conversation that a request is planned by. */
export interface PlannedPath {
  /** What the model is shown; the whole path where the request goes back to an earlier message. */
  readonly path: readonly PathNode[]
  /** The last entry of the path, if that is not the head of the conversation. Null stands for the root. */
  readonly parent?: string | null
  /** The ids of the request's new messages that the conversation has already, on any branch. */
  readonly knownIds: ReadonlySet<string>
  /** Whether a request for another answer ends with a message that never came here. */
  readonly isNew?: boolean
}

type Asking = Pick<WireRequest, 'messages' | 'regenerate' | 'isWhole'>

/**
 * Reads as much of a conversation as a request is about, so that the time does not grow with what is stored.
 * @throws {HostError} CONVERSATION_UNKNOWN, STORAGE_FAILED
 */
export async function plannedPath(
  request: Asking,
  stored: ConversationPlace,
): Promise<PlannedPath> {
  const { storage, owner, conversationId } = stored
  const ids = idsOfAsked(request.messages)
  const knownIds = await storage.conversations.knownMessages(owner, conversationId, ids)
  const isNew = request.regenerate
    ? await isNewToAnswer(request, stored)
    : !knownIds.has(ids.at(-1) ?? '')
  const place = isNew
    ? await pathToNew(request, knownIds, stored)
    : await pathWith(request.regenerate?.messageId ?? ids.at(-1), stored)
  return { knownIds, isNew, ...place }
}

/** The user messages at the end of a request that are not stored yet. */
export function newMessages(
  messages: readonly Message[],
  knownIds: ReadonlySet<string>,
): readonly Message[] {
  return messages.slice(knownCount(messages, knownIds)).filter(({ role }) => role === 'user')
}

function beforeNew(
  messages: readonly Message[],
  knownIds: ReadonlySet<string>,
): readonly Message[] {
  if (newMessages(messages, knownIds).length === 0) return []
  return messages.slice(0, knownCount(messages, knownIds))
}

function knownCount(messages: readonly Message[], knownIds: ReadonlySet<string>): number {
  const isKnown = ({ id }: Message) => id !== undefined && knownIds.has(id)
  return messages.findLastIndex((message) => isKnown(message) || isAnswer(message)) + 1
}

/** What the model is shown before new messages. */
async function pathToNew(
  { messages, isWhole }: Asking,
  knownIds: ReadonlySet<string>,
  stored: ConversationPlace,
): Promise<Omit<PlannedPath, 'knownIds'>> {
  const before = beforeNew(messages, knownIds)
  const isFirst = isWhole && messages.length > 0 && !messages.some(isAnswer) && before.length === 0
  if (isFirst && knownIds.size === 0) return { path: [], parent: null }
  const path = await loadShownNodes(stored)
  const parent = await branchedFrom(before, path, stored)
  return parent === undefined ? { path } : { path: await loadShownNodes(stored, parent), parent }
}

/** The whole path with a message: that of the head, or else the newest other one. */
async function pathWith(
  messageId: string | undefined,
  stored: ConversationPlace,
): Promise<Omit<PlannedPath, 'knownIds'>> {
  const { storage, owner, conversationId } = stored
  const { conversations } = storage
  const path = nodesOf(await conversations.history(owner, conversationId))
  const ids = idsOf({ role: 'assistant', ...(messageId === undefined ? {} : { id: messageId }) })
  const isThere = ids.length === 0 || path.some(({ message }) => ids.includes(message?.id ?? ''))
  const parent = isThere ? undefined : await lastBranchWith(ids, stored)
  if (parent === undefined) return { path: await withArchiveChecked(path, stored) }
  const other = nodesOf(await conversations.history(owner, conversationId, parent))
  return { path: await withArchiveChecked(other, stored), parent }
}

async function lastBranchWith(
  ids: readonly string[],
  stored: ConversationPlace,
): Promise<string | undefined> {
  const { storage, owner, conversationId } = stored
  const known = await storage.conversations.knownMessages(owner, conversationId, ids)
  const id = ids.find((one) => known.has(one))
  return id === undefined ? undefined : branchWith(id, stored)
}

/**
 * Whether a request for another answer ends with a message that never came here, as after a lost connection. It may also
 * be known under another id, if the client numbers all messages anew.
 */
async function isNewToAnswer(
  { messages, regenerate }: Asking,
  stored: ConversationPlace,
): Promise<boolean> {
  const last = messages.at(-1)
  if (last?.role !== 'user' || last.id === undefined) return false
  if ((regenerate?.messageId ?? last.id) !== last.id) return false
  const { storage, owner, conversationId } = stored
  const ids = lookedFor(messages)
  const known = await storage.conversations.knownMessages(owner, conversationId, ids)
  if (known.size > 0) return !known.has(last.id)
  const asked = (await loadShownNodes(stored)).findLast(isAsked)?.message
  return JSON.stringify(asked?.parts) !== JSON.stringify(last.parts)
}

/** The ids of the user messages behind the last answer: those before it are known. */
function idsOfAsked(messages: readonly Message[]): readonly string[] {
  const asked = messages.slice(messages.findLastIndex(isAnswer) + 1)
  return asked.flatMap(({ role, id }) => (role === 'user' && id !== undefined ? [id] : []))
}
