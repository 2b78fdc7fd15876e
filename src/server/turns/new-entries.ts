import type { NewEntry } from '@braidwork/agent/internal'
import type { Message } from '@braidwork/plugin'

export function entryOf(message: Message, newId: () => string): NewEntry {
  return { kind: 'message', id: newId(), message }
}

export function withoutId({ id: _, ...message }: Message): Message {
  return message
}
