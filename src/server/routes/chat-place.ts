import type { RouteContext, Services } from '../context.ts'
import { keptConversation } from '../conversations/index.ts'
import { conversationUnknown } from './conversations.ts'

/** A published model or agent, and the conversation in which it is asked, if there is one yet. */
export interface ChatPlace {
  readonly agent: string
  readonly conversationId: string | undefined
}

/**
 * The chat that the query parameters `agent` and `conversation` name. The agent is by default that of the conversation,
 * or the server's first.
 * @throws {HostError} CONVERSATION_UNKNOWN, and those of `Catalog.find`
 */
export async function chatPlace(c: RouteContext, services: Services): Promise<ChatPlace> {
  const identity = c.get('identity')
  const conversationId = c.req.query('conversation')
  const named = c.req.query('agent')
  if (conversationId === undefined) {
    return { agent: (await services.catalog.find(identity, named)).name, conversationId }
  }
  const conversation = await keptConversation(services, identity.id, conversationId)
  if (!conversation) throw conversationUnknown(conversationId)
  const { name } = await services.catalog.find(identity, named ?? conversation.agent)
  return { agent: name, conversationId }
}
