const last = new Map<string, Promise<unknown>>()

/** What reads or writes the facts of a conversation, one after the other: nobody sees half of a change. */
export function inTurn<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(conversationId) ?? Promise.resolve()).then(work)
  const end = () => {
    if (last.get(conversationId) === over) last.delete(conversationId)
  }
  const over: Promise<void> = mine.then(end, end)
  last.set(conversationId, over)
  return mine
}
