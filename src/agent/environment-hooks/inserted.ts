import type { Message } from '@braidwork/plugin'

/** The mark of messages that a hook inserted. A client that shows a history should hide them. */
const INSERTED_BY = 'hook'

/** Whether a hook inserted a message. */
export function isInserted({ metadata }: Message): boolean {
  return metadata?.['insertedBy'] === INSERTED_BY
}

/** The messages without those that hooks inserted into an earlier run. CT-16 */
export function withoutInserted(messages: readonly Message[]): readonly Message[] {
  return messages.filter((message) => !isInserted(message))
}

/** Puts messages just before the latest one of the user, marked; at the end if there is none. CT-16 */
export function withInserted(
  messages: readonly Message[],
  inserted: readonly Message[],
): readonly Message[] {
  if (inserted.length === 0) return messages
  const at = latestUserMessage(messages)
  const place = at < 0 ? messages.length : at
  const marked = inserted.map((message) => ({
    ...message,
    metadata: { ...message.metadata, insertedBy: INSERTED_BY },
  }))
  return [...messages.slice(0, place), ...marked, ...messages.slice(place)]
}

/** The place of the latest message that the user wrote; -1 if there is none. */
export function latestUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex(
    ({ role, metadata }) => role === 'user' && metadata?.['insertedBy'] === undefined,
  )
}
