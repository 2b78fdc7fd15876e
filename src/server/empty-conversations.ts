import type { Conversation, Storage } from '@braidwork/agent'
import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

export interface EmptyParts {
  readonly storage: {
    readonly conversations: Pick<Storage['conversations'], 'load' | 'delete'>
    readonly runs: Pick<Storage['runs'], 'last'>
  }
  readonly log: Log
}

/**
 * Waits for the first run of a new conversation to start. If it does not start, the conversation is deleted, and the log
 * says so if that fails: the caller has to know why the run did not start.
 */
export async function withoutEmpty<T>(
  { storage: { conversations, runs }, log }: EmptyParts,
  { owner, id }: Pick<Conversation, 'owner' | 'id'>,
  started: Promise<T>,
): Promise<T> {
  try {
    return await started
  } catch (error) {
    await removeEmpty().catch((fault: unknown) => {
      const message = `An empty conversation stays, because it cannot be deleted: ${messageOf(fault)}`
      log({ level: 'warn', message })
    })
    throw error
  }

  /** Another request may have begun to use it meanwhile. */
  async function removeEmpty(): Promise<void> {
    const [now, run] = await Promise.all([conversations.load(owner, id), runs.last(owner, id)])
    if (now && now.head === undefined && !run) await conversations.delete(owner, id)
  }
}
