import type { Environment, Storage, StoredRun } from '@braidwork/agent'
import type { NewEntry } from '@braidwork/agent/internal'
import type { Identity } from '../identity.ts'
import type { Quotas } from '../quotas.ts'
import { conversationBusy } from '../runs/index.ts'

interface Parts {
  readonly storage: Storage
  readonly environment: Environment
  readonly quotas: Quotas
}

interface GivenResults {
  readonly identity: Identity
  readonly conversationId: string
  readonly entries: readonly NewEntry[]
  /** The open run of the conversation. */
  readonly open: StoredRun | undefined
}

/**
 * Keeps the results of the client's calls, for a run that waits for a person. While it goes on with an answer, it does
 * not take them.
 * @throws {HostError} CONVERSATION_BUSY, STORAGE_QUOTA_EXCEEDED, REQUEST_TOO_LARGE
 */
export async function keepResults(
  { storage, environment, quotas }: Parts,
  { identity, conversationId: id, entries, open }: GivenResults,
): Promise<void> {
  if (open?.status === 'active') throw conversationBusy(id)
  await quotas.assertMessagesFit(identity, id)
  await storage.conversations.append(identity.id, id, { entries }, environment.now())
}
