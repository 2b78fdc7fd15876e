import { failure, resultOf } from '@braidwork/core/internal'
import type { Message, ToolCallPart } from '@braidwork/plugin'

/**
 * Returns the tool calls in a history that have no result. Calls that the provider executed itself do not count.
 */
export function openCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  const open = new Map<string, ToolCallPart>()
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.type === 'tool-call' && !part.providerExecuted) open.set(part.callId, part)
    else if (part.type === 'tool-result') open.delete(part.callId)
  }
  return [...open.values()]
}

/**
 * Returns a tool message with a cancelled result for each call that will never have a real one, so that the
 * conversation can continue. LR-13
 */
export function settleCalls(calls: readonly ToolCallPart[], reason: string): Message | undefined {
  if (calls.length === 0) return undefined
  const parts = calls.map((call) => resultOf(call, failure('canceled', reason)))
  return { role: 'tool', parts }
}
