import type { UiMessage } from '../message/index.ts'

/** A conversation as `GET /api/conversations` lists it. */
export interface Conversation {
  readonly id: string
  /** The published model, or the id of the agent, that answers. */
  readonly agent: string
  readonly title?: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ConversationPage {
  readonly conversations: readonly Conversation[]
  /** Names the next page; absent on the last one. */
  readonly next?: string
}

/** A conversation as `GET /api/conversations/{id}` shows it. */
export interface History extends Conversation {
  readonly messages: readonly UiMessage[]
  readonly lastRun?: { readonly id: string; readonly status: string }
}

/** The answer to an upload. */
export interface Upload {
  readonly url: string
  readonly mediaType: string
  readonly filename?: string
}
