import type { Entry } from '@braidwork/agent'
import type { Message } from '@braidwork/plugin'

/** A message of a conversation's history, with the entry that holds it. */
export interface PathMessage {
  readonly entryId: string
  readonly parent: string | undefined
  readonly message: Message
}

/** The path from the root to an entry, out of all entries in the order in which they came. */
export function pathTo(entries: readonly Entry[], last: string | undefined): readonly Entry[] {
  const path: Entry[] = []
  let next = last
  for (const entry of entries.toReversed()) {
    if (entry.id !== next) continue
    path.push(entry)
    next = entry.parent
  }
  return path.reverse()
}

/** The messages of a path, each with an id by which clients know it. */
export function messagesOf(entries: readonly Entry[]): readonly PathMessage[] {
  return entries.flatMap((entry) =>
    entry.kind === 'message'
      ? [
          {
            entryId: entry.id,
            parent: entry.parent,
            message: { ...entry.message, id: entry.message.id ?? entry.id },
          },
        ]
      : [],
  )
}

/** What a model is shown: ids are the host's own affair. */
export function historyOf(path: readonly PathMessage[]): readonly Message[] {
  return path.map(({ message: { id: _, ...message } }) => message)
}

/** The id of the answer that a history ends with; nothing where somebody else spoke last. */
export function openAnswerId(messages: readonly Message[]): string | undefined {
  const lastAsked = messages.findLastIndex((message) => !isAnswer(message))
  return messages.slice(lastAsked + 1).find(({ role }) => role === 'assistant')?.id
}

export function isAnswer({ role }: Message): boolean {
  return role === 'assistant' || role === 'tool'
}
