import type { Storage, StoredRun } from '@braidwork/agent'
import { untoldWhileWaiting } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import { withUsage } from '../unanswered.ts'

interface ShownNode {
  readonly message: Message
  readonly runId?: string
}

/** Counts with the last message of a run that waits what its legs without messages used. AL-22 */
export async function withUntold<T extends ShownNode>(
  nodes: readonly T[],
  open: StoredRun | undefined,
  storage: Storage,
): Promise<readonly T[]> {
  const at = open ? nodes.findLastIndex(({ runId }) => runId === open.id) : -1
  const node = nodes[at]
  if (!open || !node) return nodes
  const [message = node.message] = withUsage(
    [node.message],
    await untoldWhileWaiting(open, storage),
  )
  return nodes.with(at, { ...node, message })
}
