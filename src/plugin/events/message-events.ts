import type { PartialEvent } from './events.ts'
import type { Message, Part } from './messages.ts'

/** Converts a whole message to events. Each text part becomes a start, one delta and an end. CL-45 */
export function eventsOf(message: Message, prefix = ''): PartialEvent[] {
  const events = message.parts.flatMap((part, index) => partEvents(part, `${prefix}${index}`))
  return message.metadata ? [...events, { type: 'metadata', metadata: message.metadata }] : events
}

/** Converts several messages to events; part ids are unique among all of them. */
export function eventsOfAll(messages: readonly Message[]): PartialEvent[] {
  if (messages.length === 1 && messages[0]) return eventsOf(messages[0])
  return messages.flatMap((message, index) => eventsOf(message, `${index}.`))
}

function partEvents(part: Part, id: string): PartialEvent[] {
  if (part.type === 'text' || part.type === 'reasoning') return segmentEvents(part, id)
  if (part.type === 'tool-call') return callEvents(part)
  return [part]
}

function segmentEvents(
  part: Extract<Part, { type: 'text' | 'reasoning' }>,
  id: string,
): PartialEvent[] {
  const facts = part.providerMetadata ? { providerMetadata: part.providerMetadata } : {}
  return [
    { type: `${part.type}-start`, id, ...(part.type === 'text' ? facts : {}) },
    { type: `${part.type}-delta`, id, delta: part.text },
    { type: `${part.type}-end`, id, ...facts },
  ]
}

function callEvents({
  callId: id,
  name,
  input,
  type: _,
  ...facts
}: Extract<Part, { type: 'tool-call' }>): PartialEvent[] {
  const delta = typeof input === 'string' ? input : (JSON.stringify(input) ?? '')
  return [
    { type: 'tool-call-start', id, name },
    { type: 'tool-call-delta', id, delta },
    { type: 'tool-call-end', id, input, ...facts },
  ]
}
