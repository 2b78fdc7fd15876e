import type { Client } from '../server/index.ts'
import type { Kept } from './kept.ts'

/** What a chat does: `asking` until an answer begins, `lost` while its connection is tried again. */
export type ChatStatus = 'loading' | 'ready' | 'asking' | 'answering' | 'lost'

/** What a chat is made of, and who is told what changed in it. */
export interface ChatParts<C> {
  readonly client: Client
  /** Where texts outlive a reload. */
  readonly kept: Kept
  /** The conversation has a new message. */
  readonly onTurn: (chat: C) => void
  /** The person has changed the conversation in this tab. */
  readonly onChange: (chat: C) => void
}
