import type { Message } from '@braidwork/plugin'

/** A conversation: a tree of entries, of which the path from the root to `head` is its history. CT-19 */
export interface Conversation {
  /** Unique among the owner's. */
  readonly id: string
  readonly owner: string
  /** The agent, or published model, that answers. */
  readonly agent: string
  /** Whoever speaks to it. */
  readonly sender: string
  readonly title?: string
  /** The entry that the history ends with; none while it is empty. */
  readonly head?: string
  readonly metadata: { readonly [key: string]: unknown }
  readonly createdAt: number
  readonly updatedAt: number
}

/** As it stands in a list: what a caller keeps with it may be large. */
export type ListedConversation = Omit<Conversation, 'metadata'>

export type NewConversation = Pick<Conversation, 'id' | 'owner' | 'agent' | 'sender'> &
  Partial<Pick<Conversation, 'title' | 'metadata'>>

/** What of a conversation may be changed; null takes a title or the head away. */
export interface ConversationChange {
  readonly title?: string | null
  readonly metadata?: Conversation['metadata']
  readonly head?: string | null
}

/** A message, or the marker of a compaction: what stands above it is in its archive, a file by hash. */
export type EntryContent =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'compaction'; readonly summary: string; readonly archive: string }

/** What is appended; each entry's parent is the one before it, the first one's is the append's. */
export type NewEntry = { readonly id: string; readonly runId?: string } & EntryContent

/** A node of a conversation's tree. */
export type Entry = NewEntry & {
  readonly parent?: string
  /** Counts the entries of the conversation from 0. */
  readonly seq: number
  readonly createdAt: number
}

export interface ConversationPage {
  /** Most that are answered; 50 where it is not said. */
  readonly limit?: number
  /** Those that were updated before this one, as `updatedAt` and `id` of the last of the page before. */
  readonly before?: { readonly updatedAt: number; readonly id: string }
}

export interface ConversationStorage {
  /** @throws {HostError} CONVERSATION_EXISTS */
  create(conversation: NewConversation, now: number): Promise<Conversation>
  load(owner: string, id: string): Promise<Conversation | undefined>
  /** The one last created of those with exactly this agent and sender. */
  latest(owner: string, agent: string, sender: string): Promise<Conversation | undefined>
  /** Bytes of its messages on all branches, title and metadata; 0 where it is not there. */
  size(owner: string, id: string): Promise<number>
  /** The last updated first. */
  list(owner: string, page?: ConversationPage): Promise<readonly ListedConversation[]>
  /** @throws {HostError} CONVERSATION_UNKNOWN; ENTRY_UNKNOWN for a head that is not there */
  update(owner: string, id: string, change: ConversationChange, now: number): Promise<Conversation>
  /** With its entries, runs, events, approvals and files. Whether it was there. */
  delete(owner: string, id: string): Promise<boolean>
  /**
   * Appends below `parent` (the head where it is not said, null for the root) and moves the head to the
   * last, or, where nothing is appended, to `parent` if that is said. Entries whose id is there already
   * are passed over.
   * @throws {HostError} CONVERSATION_UNKNOWN, ENTRY_UNKNOWN
   */
  append(
    owner: string,
    id: string,
    append: { readonly entries: readonly NewEntry[]; readonly parent?: string | null },
    now: number,
  ): Promise<void>
  /** The path from the root to an entry, by default the head. @throws {HostError} ENTRY_UNKNOWN */
  history(owner: string, id: string, at?: string): Promise<readonly Entry[]>
  /** The same from the entry up to the root, read as far as it is asked for. @throws {HostError} ENTRY_UNKNOWN */
  above(owner: string, id: string, at?: string): AsyncIterable<Entry>
  /** The id of the last entry that a run wrote; nothing where it wrote none. */
  lastOf(owner: string, id: string, runId: string): Promise<string | undefined>
  /** All entries in the order in which they came, branches too. */
  entries(owner: string, id: string): Promise<readonly Entry[]>
}
