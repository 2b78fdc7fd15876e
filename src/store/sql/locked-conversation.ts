import type { Conversation } from '@braidwork/agent'
import { conversationUnknown } from '@braidwork/agent/internal'
import { conversationIn } from './conversation-row.ts'
import type { SqlSession } from './database.ts'
import type { Place } from './entries.ts'

/**
 * Loads a conversation and locks it until the transaction ends.
 * @param createdAt when it was created: one with the same id that was created at another time is another one
 * @throws {HostError} CONVERSATION_UNKNOWN
 */
export async function lockedAt(
  session: SqlSession,
  [owner, id]: Place,
  createdAt?: number,
): Promise<Conversation> {
  const [row] = await session.query(
    `SELECT * FROM conversations WHERE id = ? AND owner = ?${session.forUpdate}`,
    [id, owner],
  )
  const conversation = row && conversationIn(row)
  if (!conversation || conversation.createdAt !== (createdAt ?? conversation.createdAt)) {
    throw conversationUnknown(id)
  }
  return conversation
}
