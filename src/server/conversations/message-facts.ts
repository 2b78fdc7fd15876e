import type { Storage, StoredRun } from '@braidwork/agent'
import type { MessageNode } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'
import { factsOf } from '../run-order.ts'
import type { RunFacts } from '../wire/index.ts'

/** The runs of the conversations that the messages come from which a branch copied. */
export async function runsOfOrigins(
  nodes: readonly MessageNode[],
  owner: string,
  { runs }: Pick<Storage, 'runs'>,
): Promise<readonly StoredRun[]> {
  const origins = new Set(nodes.flatMap(({ origin }) => origin?.conversationId ?? []))
  const all: StoredRun[] = []
  for (const id of origins) all.push(...(await runs.list(owner, id)))
  return all
}

/**
 * The facts of the runs that wrote the messages of a conversation. Of a run that was deleted since, the messages that a
 * branch copied know what is shown of it.
 * @param runs those of the conversation, and {@link runsOfOrigins}
 */
export function factsByMessage(
  nodes: readonly MessageNode[],
  runs: readonly StoredRun[],
): ReadonlyMap<Message, RunFacts> {
  const facts = new Map(runs.map((run) => [run.id, factsOf(run)]))
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
