import type { EntryOrigin } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'

/**
 * Returns the id of the response at the end of a history, or undefined if the history ends with another message.
 */
export function openAnswerId(messages: readonly Message[]): string | undefined {
  const lastAsked = messages.findLastIndex((message) => !isAnswer(message))
  return messages.slice(lastAsked + 1).find(({ role }) => role === 'assistant')?.id
}

export function isAnswer({ role }: Pick<Message, 'role'>): boolean {
  return role === 'assistant' || role === 'tool'
}

interface Said {
  readonly message?: Message | undefined
  readonly runId?: string
  readonly origin?: EntryOrigin
}

/** Whether a client said it. What is said to a run, or by the host, in the middle of an answer is part of that. */
export function isAsked({ message, runId, origin }: Said): boolean {
  return message?.role === 'user' && runId === undefined && !origin
}
