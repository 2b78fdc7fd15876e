import type { Message, ToolResultPart } from '@braidwork/plugin'

/** Returns a message with another result of a tool call, or undefined if it has no result of that call. */
export function withResult(message: Message, result: ToolResultPart): Message | undefined {
  const isOld = (part: Message['parts'][number]) =>
    part.type === 'tool-result' && part.callId === result.callId
  if (!message.parts.some(isOld)) return undefined
  return { ...message, parts: message.parts.map((part) => (isOld(part) ? result : part)) }
}
