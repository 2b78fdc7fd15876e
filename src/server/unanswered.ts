import { openCalls, settleCalls } from '@braidwork/agent/internal'
import type { Message, ToolResultPart } from '@braidwork/plugin'

const UNANSWERED = 'The call was not answered before the conversation continued.'

/** Returns the message that ends the calls of a history which stay open, since the messages after it do not answer them. */
export function unansweredIn(
  history: readonly Message[],
  after: readonly Message[] = [],
): readonly Message[] {
  const answered = new Set(resultsIn(after).map(({ callId }) => callId))
  const open = openCalls(history).filter(({ callId }) => !answered.has(callId))
  const ends = settleCalls(open, UNANSWERED)
  return ends ? [ends] : []
}

/** Returns the results in messages, but those of calls that the provider executed itself. */
export function resultsIn(messages: readonly Message[]): readonly ToolResultPart[] {
  return messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === 'tool-result' && !part.providerExecuted),
  ) as readonly ToolResultPart[]
}
