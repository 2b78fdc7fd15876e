import type {
  Approval,
  Conversation,
  Entry,
  Lease,
  StoredAgent,
  StoredDocument,
  StoredFile,
  StoredRun,
} from '../../agent/storage/index.ts'
import type { RunEvent } from '../../events/index.ts'

export interface ConversationRow {
  conversation: Conversation
  /** By id, in the order in which they came. */
  readonly entries: Map<string, Entry>
  /** Runs by id, in the order in which they began. */
  readonly runs: Set<string>
}

export interface RunRow {
  /** But for its next number, which every list of events moves. */
  run: Omit<StoredRun, 'nextSeq'>
  nextSeq: number
  lease: Lease | undefined
  readonly idempotencyKey: string | undefined
  events: RunEvent[]
}

/** A run as it is now. */
export function runOf({ run, nextSeq }: RunRow): StoredRun {
  return { ...run, nextSeq }
}

export interface FileRow {
  readonly owner: string
  readonly conversationId: string | undefined
  readonly file: StoredFile
}

export interface SettingsRow {
  readonly owner: string
  readonly layer: { readonly [key: string]: unknown }
}

/** What one plugin keeps for one conversation, for an owner, or for nobody. */
export interface ValuesRow {
  readonly plugin: string
  /** The `conversationKey`, or the `ownerKey`. */
  readonly conversationId: string | undefined
  readonly values: Map<string, unknown>
}

/** What a storage in memory holds. */
export interface Tables {
  /** By `conversationKey`. */
  readonly conversations: Map<string, ConversationRow>
  readonly runs: Map<string, RunRow>
  readonly approvals: Map<string, Approval>
  files: FileRow[]
  readonly settings: Map<string, SettingsRow>
  /** By owner and id. */
  readonly agents: Map<string, StoredAgent>
  readonly documents: Map<string, StoredDocument>
  readonly values: Map<string, ValuesRow>
}

export function emptyTables(): Tables {
  return {
    conversations: new Map(),
    runs: new Map(),
    approvals: new Map(),
    files: [],
    settings: new Map(),
    agents: new Map(),
    documents: new Map(),
    values: new Map(),
  }
}
