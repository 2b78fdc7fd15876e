import type { Storage } from '@braidwork/agent'
import {
  loadShownNodes,
  nodesOf,
  type PathNode,
  withArchiveChecked,
} from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import type { WireRequest } from '../wire/index.ts'
import { isAnswer } from './path.ts'

/** The stored part of a conversation that a request is planned by. */
export interface PlannedPath {
  /** What the model is shown; the whole path where the request goes back to an earlier message. */
  readonly path: readonly PathNode[]
  /** The ids of the request's new messages that the conversation has already, on any branch. */
  readonly knownIds: ReadonlySet<string>
}

interface StoredConversation {
  readonly storage: Pick<Storage, 'conversations' | 'files'>
  readonly owner: string
  readonly conversationId: string
}

/**
 * Reads as much of a conversation as a request is about, so that the time does not grow with what is stored.
 * @throws {HostError} CONVERSATION_UNKNOWN, STORAGE_FAILED
 */
export async function plannedPath(
  request: WireRequest,
  stored: StoredConversation,
): Promise<PlannedPath> {
  const { storage, owner, conversationId } = stored
  const ids = idsOfAsked(request.messages)
  const knownIds = await storage.conversations.knownMessages(owner, conversationId, ids)
  if (!request.regenerate && !knownIds.has(ids.at(-1) ?? '')) {
    return { knownIds, path: await loadShownNodes(stored) }
  }
  const all = nodesOf(await storage.conversations.history(owner, conversationId))
  return { knownIds, path: await withArchiveChecked(all, stored) }
}

/** The ids of the user messages behind the last answer: those before it are known. */
function idsOfAsked(messages: readonly Message[]): readonly string[] {
  const asked = messages.slice(messages.findLastIndex(isAnswer) + 1)
  return asked.flatMap(({ role, id }) => (role === 'user' && id !== undefined ? [id] : []))
}
