import type { Conversation, Storage } from '@braidwork/agent'

/** Waits for the first run of a new conversation to start. If it does not start, the conversation is deleted. */
export async function withoutEmpty<T>(
  { conversations, runs }: Pick<Storage, 'conversations' | 'runs'>,
  { owner, id }: Pick<Conversation, 'owner' | 'id'>,
  started: Promise<T>,
): Promise<T> {
  try {
    return await started
  } catch (error) {
    // Why the run did not start is what the caller has to know, and not that the conversation is still there.
    await removeEmpty().catch(() => undefined)
    throw error
  }

  /** Another request may have begun to use it meanwhile. */
  async function removeEmpty(): Promise<void> {
    const [now, run] = await Promise.all([conversations.load(owner, id), runs.last(owner, id)])
    if (now && now.head === undefined && !run) await conversations.delete(owner, id)
  }
}
