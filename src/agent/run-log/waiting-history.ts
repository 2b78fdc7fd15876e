import type { Message } from '@braidwork/plugin'
import { historyOfNodes, loadShownNodes } from '../history/index.ts'
import type { Approval, Storage, StoredRun } from '../storage/index.ts'
import { callPassedBy } from '../waiting-calls.ts'
import { askedLast } from './resumption.ts'

/**
 * The messages with which a suspended run of a conversation goes on. Undefined if the conversation went on without the
 * calls that wait: its history no longer ends with what the run has said.
 * @param approvals all approvals of the run
 * @throws {HostError} CONVERSATION_UNKNOWN, STORAGE_FAILED
 */
export async function waitingHistory(
  { id: runId, owner, conversationId = '' }: StoredRun,
  approvals: readonly Approval[],
  storage: Storage,
): Promise<readonly Message[] | undefined> {
  const path = await loadShownNodes({ storage, owner, conversationId })
  const last = await storage.conversations.lastOf(owner, conversationId, runId)
  const at = path.findIndex(({ entryId }) => entryId === last)
  // The marker of a compaction says nothing.
  if (at < 0 || path.slice(at + 1).some(({ message }) => message)) return undefined
  const messages = historyOfNodes(path)
  return callPassedBy(messages, askedLast(approvals)) ? undefined : messages
}
