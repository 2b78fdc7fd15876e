/** A message of a conversation that the person looks for. */
export interface Sought {
  readonly conversationId: string
  readonly messageId: string
}
