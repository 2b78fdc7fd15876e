import type { Conversation, Entry } from '@braidwork/agent'
import { messageIdOf, shownMessages } from '@braidwork/agent/internal'
import { HostError } from '@braidwork/plugin'
import { answerGroups } from '../turns/index.ts'
import { pathTo } from './versions.ts'

/**
 * Returns the entry at which a message ends that a request names by the id of the message or of an entry. An answer of
 * several messages stays whole. Of messages with the same id, as a changed one and that of before, it is the one in the
 * history, and otherwise the newest.
 * @throws {HostError} ENTRY_UNKNOWN, which names the field
 */
export function namedEntry(
  entries: readonly Entry[],
  { head }: Pick<Conversation, 'head'>,
  { id, field }: { readonly id: string; readonly field: string },
): string {
  const isNamed = (entry: Entry) => entry.id === id || messageIdOf(entry) === id
  const shown = pathTo(entries, head)
  const onPath = shown.find(isNamed)
  const named = onPath ?? entries.findLast(isNamed)
  if (!named) {
    const message = `There is no message "${id.slice(0, 100)}".`
    throw new HostError('ENTRY_UNKNOWN', message, { pointer: `/${field}` })
  }
  const ofRun = (onPath ? shown : entries).findLast(
    ({ runId }) => runId !== undefined && runId === named.runId,
  )
  const group = answerGroups(shownMessages(shown)).find((nodes) =>
    nodes.some(({ entryId }) => entryId === (ofRun ?? named).id),
  )
  return group?.at(-1)?.entryId ?? (ofRun ?? named).id
}
