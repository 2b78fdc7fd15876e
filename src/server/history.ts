import type { Conversation } from '../agent/storage/index.ts'
import type { Message } from '../events/index.ts'
import type { RunFacts } from '../wire/protocol.ts'
import { SDK_VERSIONS, toUiMessages, type UiMessage } from '../wire/ui-message-stream/index.ts'
import type { Services } from './context.ts'
import { factsOf } from './run-service.ts'
import { messagesOf } from './turns/path.ts'

/** A conversation's history as a chat page shows it, and what goes on in it. */
export interface ShownHistory {
  readonly messages: readonly UiMessage[]
  /** The run that is active or waits for approvals. */
  readonly run?: { readonly id: string; readonly status: string }
}

export async function historyFor(
  { owner, id }: Conversation,
  { storage }: Services,
  version: string | undefined,
): Promise<ShownHistory> {
  const entries = await storage.conversations.history(owner, id)
  const runs = await storage.runs.list(owner, id)
  const open = await storage.runs.open(owner, id)
  const approvals = open?.status === 'suspended' ? await storage.approvals.list(open.id) : []
  const facts = new Map(runs.map((run) => [run.id, factsOf(run)]))
  const ofMessage = new Map<Message, RunFacts>()
  const runIds = new Map(entries.map((entry) => [entry.id, entry.runId]))
  const messages = messagesOf(entries).map(({ message, entryId }) => {
    const of = facts.get(runIds.get(entryId) ?? '')
    if (of) ofMessage.set(message, of)
    return message
  })
  const sdk = SDK_VERSIONS.find((known) => String(known) === version)
  return {
    messages: toUiMessages(messages, {
      factsOf: (message) => ofMessage.get(message),
      approvals: approvals
        .filter(({ answer }) => !answer)
        .map(({ id: approvalId, callId, tool: name, input, expiresAt }) => ({
          approvalId,
          callId,
          name,
          input,
          expiresAt: new Date(expiresAt).toISOString(),
        })),
      ...(sdk === undefined ? {} : { sdk }),
    }),
    ...(open ? { run: { id: open.id, status: open.status } } : {}),
  }
}
