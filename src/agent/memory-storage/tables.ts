import type { RunEvent } from '@braidwork/plugin'
import type {
  Approval,
  Conversation,
  Entry,
  Lease,
  StorageUsage,
  StoredAgent,
  StoredDocument,
  StoredFile,
  StoredRun,
} from '../storage/index.ts'
import { IndexOf } from './index-of.ts'

export interface ConversationRow {
  conversation: Conversation
  /** Of its title, metadata and entries. */
  bytes: number
  /** By id, in the order in which they came. */
  readonly entries: Map<string, Entry>
  /** The entry that came last. */
  last?: string
  /** The last entry of each run. */
  readonly lastOf: Map<string, string>
  /** Runs by id, in the order in which they began. */
  readonly runs: Set<string>
  /** The run that began last of those that may be active or suspended. */
  open?: string
}

export interface RunRow {
  /** But for its next number, which every list of events moves. */
  run: Omit<StoredRun, 'nextSeq'>
  nextSeq: number
  lease: Lease | undefined
  readonly idempotencyKey: string | undefined
  events: RunEvent[]
  /** Of its order, events and approvals. */
  bytes: number
}

/** A run as it is now. */
export function runOf({ run, nextSeq }: RunRow): StoredRun {
  return { ...run, nextSeq }
}

/** What names a run beside its id: its owner's key. */
export function keyOfRun(owner: string, idempotencyKey: string): string {
  return JSON.stringify([owner, idempotencyKey])
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
  /** Keys of conversations by owner. */
  readonly conversationsOf: IndexOf
  readonly runs: Map<string, RunRow>
  /** Ids of runs by `keyOfRun`. */
  readonly runKeys: Map<string, string>
  readonly approvals: Map<string, Approval>
  /** Ids of approvals by run. */
  readonly approvalsOf: IndexOf
  /** By owner and hash, then by the conversation that has it, or none. */
  readonly files: Map<string, Map<string | undefined, FileRow>>
  /** Keys of `files` by `conversationKey`. */
  readonly filesOf: IndexOf
  readonly settings: Map<string, SettingsRow>
  /** By owner and id. */
  readonly agents: Map<string, StoredAgent>
  readonly documents: Map<string, StoredDocument>
  /** By conversation or owner, then by plugin. */
  readonly values: Map<string | undefined, Map<string, ValuesRow>>
  /** By owner. */
  readonly usage: Map<string, StorageUsage>
}

export function emptyTables(): Tables {
  return {
    conversations: new Map(),
    conversationsOf: new IndexOf(),
    runs: new Map(),
    runKeys: new Map(),
    approvals: new Map(),
    approvalsOf: new IndexOf(),
    files: new Map(),
    filesOf: new IndexOf(),
    settings: new Map(),
    agents: new Map(),
    documents: new Map(),
    values: new Map(),
    usage: new Map(),
  }
}

/** Gives a run its end, or its wait for approvals, and takes the lease from it. */
export function closeRun(row: RunRow, status: StoredRun['status'], now: number): void {
  row.lease = undefined
  row.run = { ...row.run, status, ...(status === 'suspended' ? {} : { endedAt: now }) }
}
