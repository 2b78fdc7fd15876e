import type { Entry } from '@braidwork/agent'
import type { Message, Part } from '@braidwork/plugin'
import { isDeleted } from '../wire/responses/index.ts'

/** A message of a conversation's history, with the entry that contains it. */
export interface PathMessage {
  readonly entryId: string
  readonly parent: string | undefined
  readonly message: Message
}

/**
 * Returns the path from the root to an entry. `entries` are all entries of the conversation, in the order in which
 * they were added.
 */
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

/**
 * Returns the messages of a path. A message without an id gets the id of its entry. Deleted items are left out, and so
 * are results whose calls were deleted.
 */
export function messagesOf(entries: readonly Entry[]): readonly PathMessage[] {
  const all = entries.flatMap((entry) =>
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
  const isCut = all.some(({ message }) => message.parts.some(isDeleted))
  return isCut ? withoutDeleted(all) : all
}

function withoutDeleted(path: readonly PathMessage[]): readonly PathMessage[] {
  const calls = new Set<string>()
  const isLeft = (part: Part): boolean => {
    if (part.type === 'tool-call') calls.add(part.callId)
    return part.type === 'tool-result' ? calls.has(part.callId) : !isDeleted(part)
  }
  const kept = path.map((one) => {
    const parts = one.message.parts.filter(isLeft)
    return { ...one, message: { ...one.message, parts } }
  })
  return kept.filter(({ message }) => message.parts.length > 0)
}

/** Returns the messages for the model, without their ids, which are internal to the host. */
export function historyOf(path: readonly PathMessage[]): readonly Message[] {
  return path.map(({ message: { id: _, ...message } }) => message)
}

/**
 * Returns the id of the response at the end of a history, or undefined if the history ends with another message.
 */
export function openAnswerId(messages: readonly Message[]): string | undefined {
  const lastAsked = messages.findLastIndex((message) => !isAnswer(message))
  return messages.slice(lastAsked + 1).find(({ role }) => role === 'assistant')?.id
}

export function isAnswer({ role }: Message): boolean {
  return role === 'assistant' || role === 'tool'
}
