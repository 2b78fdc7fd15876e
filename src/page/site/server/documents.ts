import type { UiMessage } from '../message/index.ts'

/** A conversation as `GET /api/conversations` lists it. */
export interface Conversation {
  readonly id: string
  /** The published model, or the id of the agent, that answers. */
  readonly agent: string
  readonly title?: string
  /** The last entry of the history; absent while nothing was said. */
  readonly head?: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  /** In a search: where its words are in the title, if all of them are. */
  readonly titleMarks?: readonly Mark[]
  /** In a search: the last message with all of its words. */
  readonly found?: FoundMessage
}

/** Where a piece of a text begins and ends. */
export type Mark = readonly [from: number, to: number]

/** A message that a search found. */
export interface FoundMessage {
  readonly messageId: string
  readonly role: string
  /** What is around the words. */
  readonly text: string
  readonly marks: readonly Mark[]
}

/** The longest search that the server takes, in characters. */
export const LONGEST_SEARCH = 200

export interface ConversationPage {
  readonly conversations: readonly Conversation[]
  /** Names the next page; absent on the last one. */
  readonly next?: string
}

/** A conversation as `GET /api/conversations/{id}` shows it. */
export interface History extends Conversation {
  readonly messages: readonly UiMessage[]
  readonly lastRun?: {
    readonly id: string
    readonly status: string
    /** Whether the server stopped it, because nobody read it any more. */
    readonly isUnread?: boolean
    readonly error?: Reason
  }
  /** The versions of the messages that have several. A server of another version does not tell them. */
  readonly versions?: readonly Versions[]
  /** The answers whose runs did not end as they should. An older server does not tell them. */
  readonly endings?: readonly Ending[]
}

/** An answer that may not be whole, and the status of its run. */
export interface Ending {
  readonly messageId: string
  readonly status: string
  readonly error?: Reason
}

/** Why a run failed. An older server does not tell it. */
export interface Reason {
  readonly code: string
  /** In English. */
  readonly message: string
}

/** The versions of a message, or of what followed the last one on other branches. */
export interface Versions {
  readonly messageId?: string
  readonly ids: readonly string[]
  /** The index of the version that is shown. */
  readonly current?: number
}

/** The answer to an upload. */
export interface Upload {
  readonly url: string
  readonly mediaType: string
  readonly filename?: string
}
