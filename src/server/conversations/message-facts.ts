import type { StoredRun } from '@braidwork/agent'
import type { MessageNode } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import { factsOf } from '../run-order.ts'
import type { RunFacts } from '../wire/index.ts'

/**
 * The facts of the runs that wrote the messages of a conversation. For messages that a branch copied, it reads the runs
 * of the conversations that they come from; of a run that was deleted since, the copies know what is shown of it.
 * @param own the runs of the conversation itself
 * @param runsOf reads the runs of another conversation
 */
export async function factsByMessage(
  nodes: readonly MessageNode[],
  own: readonly StoredRun[],
  runsOf: (conversationId: string) => Promise<readonly StoredRun[]>,
): Promise<ReadonlyMap<Message, RunFacts>> {
  const facts = new Map(own.map((run) => [run.id, factsOf(run)]))
  for (const id of new Set(nodes.flatMap(({ origin }) => origin?.conversationId ?? []))) {
    for (const run of await runsOf(id)) facts.set(run.id, factsOf(run))
  }
  const byMessage = new Map<Message, RunFacts>()
  for (const node of nodes) {
    const runId = node.runId ?? node.origin?.runId ?? ''
    const known = facts.get(runId) ?? factsOfDeleted(node)
    if (!known) continue
    // All messages of a run have the same facts.
    facts.set(runId, known)
    byMessage.set(node.message, known)
  }
  return byMessage
}

function factsOfDeleted({ origin, message, entryId }: MessageNode): RunFacts | undefined {
  if (!origin) return undefined
  const { runId, agent, createdAt } = origin
  return { runId, agent, createdAt, messageId: message.id ?? entryId, clientTools: new Set() }
}
