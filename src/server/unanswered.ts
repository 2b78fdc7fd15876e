import { openCalls, settleCalls } from '@braidwork/agent/internal'
import { addUsage, type Message, type ToolResultPart, type Usage } from '@braidwork/plugin'

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

/** Counts usage with the last of some messages, so that a history has it. */
export function withUsage(messages: readonly Message[], usage: Usage): readonly Message[] {
  const last = messages.at(-1)
  if (!last || Object.keys(usage).length === 0) return messages
  const all = addUsage(last.metadata?.usage ?? {}, usage)
  return messages.with(-1, { ...last, metadata: { ...last.metadata, usage: all } })
}

/** Returns the results in messages, but those of calls that the provider executed itself. */
export function resultsIn(messages: readonly Message[]): readonly ToolResultPart[] {
  return messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === 'tool-result' && !part.providerExecuted),
  ) as readonly ToolResultPart[]
}
