/** What a chat does: `asking` until an answer begins, `lost` while its connection is tried again. */
export type ChatStatus = 'loading' | 'ready' | 'asking' | 'answering' | 'lost'

/** What changed in a chat that others show. */
export interface ChatEvents<C> {
  /** The conversation has a new message. */
  readonly onTurn: (chat: C) => void
}
