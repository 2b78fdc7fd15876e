import type { Message } from '@braidwork/plugin'
import { historyOfNodes, loadShownNodes, type PathNode } from '../history/index.ts'
import type { Approval, Storage, StoredRun } from '../storage/index.ts'
import { callPassedBy } from '../waiting-calls.ts'
import { askedLast } from './resumption.ts'

/**
 * The messages with which a suspended run of a conversation goes on. Undefined if the conversation went on without the
 * calls that wait: its history no longer ends with what the run has said, or with results of the client's calls.
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
  // The marker of a compaction says nothing, and results are those of other calls of the step.
  const isSaid = ({ message }: PathNode) => message !== undefined && message.role !== 'tool'
  if (at < 0 || path.slice(at + 1).some(isSaid)) return undefined
  const messages = historyOfNodes(path)
  return callPassedBy(messages, askedLast(approvals)) ? undefined : messages
}
