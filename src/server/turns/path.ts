import type { Message } from '@braidwork/plugin'

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
