import type { Message, ToolCallPart, ToolResultPart } from '@braidwork/plugin'

/** The calls of a history that have no result; those that a provider ran are its own affair. */
export function openCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const open = new Map<string, ToolCallPart>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call' && !part.providerExecuted) open.set(part.callId, part)
    else if (part.type === 'tool-result') open.delete(part.callId)
  }
  return [...open.values()]
}

/** A message that answers calls for which no result will come, so that their history can go on. LR-13 */
export function settleCalls(calls: readonly ToolCallPart[], reason: string): Message | undefined {
  if (calls.length === 0) return undefined
  const parts = calls.map(
    ({ callId, name }): ToolResultPart => ({
      type: 'tool-result',
      callId,
      name,
      output: reason,
      isError: true,
    }),
  )
  return { role: 'tool', parts }
}
