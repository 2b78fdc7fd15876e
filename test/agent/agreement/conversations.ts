import type { Conversation, Entry, Storage } from '../../../src/agent/storage/index.ts'

/** What does not agree in a conversation: its tree, its head, its runs, and the calls of its history. */
export async function conversationFaults(
  { conversations, runs }: Storage,
  { owner, id, head }: Conversation,
): Promise<readonly string[]> {
  const entries = await conversations.entries(owner, id)
  const path = await conversations.history(owner, id)
  const all = await runs.list(owner, id)
  const open = all.filter(({ status }) => status === 'active' || status === 'suspended')
  const found = await runs.open(owner, id)
  const faults: string[] = []
  if (entries.some(({ seq }, index) => seq !== index)) faults.push('its entries have gaps')
  if (new Set(entries.map((entry) => entry.id)).size < entries.length) faults.push('an entry twice')
  if (path.at(-1)?.id !== head) faults.push(`its head is ${head}`)
  if (open.length > 1) faults.push(`${open.length} of its runs are open`)
  if (found?.id !== open[0]?.id) faults.push(`its open run is ${found?.id}, not ${open[0]?.id}`)
  return [...faults, ...pairFaults(path, found?.status === 'suspended')]
}

/** Each call of the history has one result, but for those that wait at its end. */
function pairFaults(path: readonly Entry[], waits: boolean): readonly string[] {
  const parts = path.flatMap((entry) => (entry.kind === 'message' ? entry.message.parts : []))
  const open = new Set<string>()
  const faults: string[] = []
  for (const part of parts) {
    if (part.type === 'tool-call') open.add(part.callId)
    else if (part.type === 'tool-result' && !open.delete(part.callId)) {
      faults.push(`the result of ${part.callId} has no open call before it`)
    }
  }
  if (open.size > 0 && !waits) faults.push(`calls ${[...open]} have no result`)
  return faults
}
