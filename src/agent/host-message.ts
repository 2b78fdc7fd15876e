import type { JsonObject, Message } from '@braidwork/plugin'

/** The mark of messages that the host inserts for the model. A client that shows a history should hide them. */
const INSERTED_BY = 'host'

/** A message in the place of the user, which nobody said. */
export function hostMessage(text: string, metadata: JsonObject = {}): Message {
  return {
    role: 'user',
    parts: [{ type: 'text', text }],
    metadata: { insertedBy: INSERTED_BY, ...metadata },
  }
}

/** Whether the host inserted a message. */
export function isOfHost({ metadata }: Message): boolean {
  return metadata?.['insertedBy'] === INSERTED_BY
}

/** Whether the user said a message, and not the host in the user's place. */
export function isSaid(message: Message): boolean {
  return message.role === 'user' && !isOfHost(message)
}
