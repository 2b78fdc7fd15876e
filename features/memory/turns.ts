const last = new Map<string, Promise<unknown>>()

/** Runs work on a conversation's facts one after the other, so that no reader sees a half-made change. */
export function inTurn<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(conversationId) ?? Promise.resolve()).then(work)
  const end = () => {
    if (last.get(conversationId) === over) last.delete(conversationId)
  }
  const over: Promise<void> = mine.then(end, end)
  last.set(conversationId, over)
  return mine
}
