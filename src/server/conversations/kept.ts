import type { Conversation } from '@braidwork/agent'
import type { Services } from '../context.ts'

/** Loads a conversation. One that has expired is as good as deleted, even if no upkeep has deleted it yet. */
export async function keptConversation(
  { storage, environment }: Pick<Services, 'storage' | 'environment'>,
  owner: string,
  id: string,
): Promise<Conversation | undefined> {
  const conversation = await storage.conversations.load(owner, id)
  const { expiresAt } = conversation ?? {}
  return expiresAt !== undefined && expiresAt <= environment.now() ? undefined : conversation
}
