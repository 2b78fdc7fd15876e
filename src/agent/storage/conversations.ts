import type { KeptFact, Message } from '@braidwork/plugin'

export type { KeptFact }

/** A conversation is a tree of entries. The path from the root to `head` is its history. CT-19 */
export interface Conversation {
  /** Unique per owner. */
  readonly id: string
  readonly owner: string
  /** The agent, or published model, that responds in this conversation. */
  readonly agent: string
  /** The id of the sender who writes to the agent. */
  readonly sender: string
  readonly title?: string
  /** The id of the last entry of the history. Absent while the history is empty. */
  readonly head?: string
  readonly metadata: { readonly [key: string]: unknown }
  /**
   * The time from which `expire` deletes the conversation, in milliseconds since 1970. Absent for a conversation that
   * is kept until somebody deletes it. Lists leave out conversations that expire.
   */
  readonly expiresAt?: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A conversation as a list shows it. Metadata is left out because it may be large. */
export type ListedConversation = Omit<Conversation, 'metadata'>

export type NewConversation = Pick<Conversation, 'id' | 'owner' | 'agent' | 'sender'> &
  Partial<Pick<Conversation, 'title' | 'metadata' | 'expiresAt'>>

/** The properties of a conversation that may change. Null removes the title, the head or the expiry. */
export interface ConversationChange {
  readonly title?: string | null
  readonly metadata?: Conversation['metadata']
  readonly head?: string | null
  readonly expiresAt?: number | null
}

/** The record of a compaction: what stands in place of the messages before it. */
export interface CompactionMarker {
  readonly kind: 'compaction'
  readonly summary: string
  /** The file with the replaced entries, by its hash. The entries themselves stay stored, too. */
  readonly archive: string
  /**
   * The entry with the first message that the model is still shown as it is. Absent if everything before the marker is
   * replaced.
   */
  readonly keptFrom?: string
  /** The number of messages that the summary replaces, those of earlier summaries included. */
  readonly replaced?: number
  /** System messages among the replaced ones, which stay as they were. */
  readonly system?: readonly Message[]
  /** What a run was asked, of which it then compacted its own steps. It stays as it was, behind the summary. */
  readonly asked?: readonly Message[]
  /** What no summary may lose, as it was told. LR-08 */
  readonly kept?: readonly KeptFact[]
  /** How many of them, the last ones, have room in what the model is shown. Absent if all have. */
  readonly keptShown?: number
  readonly trigger?: CompactionTrigger
}

/** Whether somebody asked for a compaction, or the context policy did. CT-20 */
export type CompactionTrigger = 'manual' | 'threshold'

/**
 * A message, or the marker of a compaction. The entries above the marker are in its archive, a file named by its
 * hash.
 */
export type EntryContent =
  | { readonly kind: 'message'; readonly message: Message }
  | CompactionMarker

/** The run that wrote an entry of which this one is a copy. The run may have been deleted since. */
export interface EntryOrigin {
  readonly runId: string
  readonly conversationId: string
  /** The agent that answered. */
  readonly agent: string
  /** When the run was asked for, in milliseconds since 1970. */
  readonly createdAt: number
}

/** An entry to append. Its parent is the entry before it; the parent of the first one is given to `append`. */
export type NewEntry = {
  readonly id: string
  readonly runId?: string
  /** Of a copy in another conversation, which has no run of its own. */
  readonly origin?: EntryOrigin
} & EntryContent

/** A node of a conversation's tree. */
export type Entry = NewEntry & {
  readonly parent?: string
  /** The number of the entry within its conversation, counted from 0. */
  readonly seq: number
  readonly createdAt: number
}

/** The id of the message of an entry: its own, or that of the entry. Undefined for a marker. */
export function messageIdOf(entry: NewEntry): string | undefined {
  return entry.kind === 'message' ? (entry.message.id ?? entry.id) : undefined
}

/** A message that a search found. */
export interface SearchHit {
  readonly conversationId: string
  readonly entry: Entry
}

export interface ConversationPage {
  /** The highest number of conversations to return. The default is 50. */
  readonly limit?: number
  /**
   * Returns only conversations updated before this one: `updatedAt` and `id` of the last one on the previous page.
   */
  readonly before?: { readonly updatedAt: number; readonly id: string }
}

/** Entries to append. */
export interface Append {
  readonly entries: readonly NewEntry[]
  readonly parent?: string | null
  /**
   * When the conversation was created. A conversation with the same id that was created at another time is another one:
   * the one that the entries are for was deleted meanwhile.
   */
  readonly createdAt?: number
}

export interface ConversationStorage {
  /** @throws {HostError} CONVERSATION_EXISTS */
  create(conversation: NewConversation, now: number): Promise<Conversation>
  load(owner: string, id: string): Promise<Conversation | undefined>
  /** The conversation created last for exactly this agent and sender. */
  latest(owner: string, agent: string, sender: string): Promise<Conversation | undefined>
  /**
   * The size in bytes of the title, metadata and messages on all branches; 0 if the conversation does not exist.
   */
  size(owner: string, id: string): Promise<number>
  /** Sorted by the time of the last update, newest first, without those that expire. */
  list(owner: string, page?: ConversationPage): Promise<readonly ListedConversation[]>
  /** @throws {HostError} CONVERSATION_UNKNOWN; ENTRY_UNKNOWN if the new head does not exist */
  update(owner: string, id: string, change: ConversationChange, now: number): Promise<Conversation>
  /** Deletes a conversation with its entries, runs, events, approvals and files. Returns whether it existed. */
  delete(owner: string, id: string): Promise<boolean>
  /** Deletes the conversations of all owners that expired before `now`. Returns their number. */
  expire(now: number): Promise<number>
  /**
   * Appends entries below `parent` and moves the head to the last one. The default parent is the head; null stands
   * for the root. Without entries the head moves to `parent`, if one is given. An entry whose id exists already is
   * skipped. With `createdAt`, only the conversation that was created at that time takes them.
   * @throws {HostError} CONVERSATION_UNKNOWN, ENTRY_UNKNOWN
   */
  append(owner: string, id: string, append: Append, now: number): Promise<void>
  /**
   * Returns the path from the root to an entry (default: the head).
   * @throws {HostError} ENTRY_UNKNOWN; CONVERSATION_UNKNOWN, also if the conversation is deleted meanwhile
   */
  history(owner: string, id: string, at?: string): Promise<readonly Entry[]>
  /**
   * Yields the same path from the entry up to the root, and reads only as far as the caller iterates.
   * @throws {HostError} like `history`
   */
  above(owner: string, id: string, at?: string): AsyncIterable<Entry>
  /**
   * Returns which of some messages the conversation has, on any branch. A message is named by its own id, or by that of
   * its entry if it has none. Takes time that does not grow with the conversation.
   * @throws {HostError} CONVERSATION_UNKNOWN
   */
  knownMessages(
    owner: string,
    id: string,
    messages: readonly string[],
  ): Promise<ReadonlySet<string>>
  /**
   * Finds those of some conversations in whose history a user or the model has said all of some words, in the given
   * order, and the last message that has them. Searches only as far as the caller iterates.
   * @param words as `wordsIn` gives them
   */
  search(
    owner: string,
    conversations: readonly Pick<Conversation, 'id' | 'head'>[],
    words: readonly string[],
  ): AsyncIterable<SearchHit>
  /** The id of the last entry that a run wrote, if any. */
  lastOf(owner: string, id: string, runId: string): Promise<string | undefined>
  /**
   * All entries of all branches, in the order in which they were added.
   * @throws {HostError} CONVERSATION_UNKNOWN, also if the conversation is deleted meanwhile
   */
  entries(owner: string, id: string): Promise<readonly Entry[]>
}
