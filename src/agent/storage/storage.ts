import type { PluginStorages } from '@braidwork/core/internal'
import type { ApprovalStorage } from './approvals.ts'
import type { ConversationStorage } from './conversations.ts'
import type { CounterStorage } from './counters.ts'
import type { AgentStorage, DocumentStorage, FileStorage, SettingsStorage } from './documents.ts'
import type { OwnerStorage } from './owners.ts'
import type { ExportMark, StoredRecord } from './records.ts'
import type { RunStorage } from './runs.ts'
import type { SharedStorage } from './shared-values.ts'
import type { TokenStorage } from './tokens.ts'

/** How much is stored for an owner. */
export interface StorageUsage {
  /**
   * The size of messages, events, files and all else as JSON in UTF-8. A file counts once for each conversation
   * that has it, and once if the owner has it alone.
   */
  readonly bytes: number
  readonly conversations: number
  readonly files: number
}

/**
 * Stores conversations, runs and everything that belongs to them. Each item has an owner, which is the id of an
 * identity; to any other identity the item does not exist. The caller chooses the ids. Times are in milliseconds
 * since 1970. Arguments and results are JSON values that neither side may change.
 *
 * Every method rejects with a HostError. Its code is STORAGE_FAILED (`retryable` if a retry may help),
 * STORAGE_NEWER, one that the method names, or REQUEST_INVALID for an id, a name or a title with U+0000, which
 * databases cannot store.
 */
export interface Storage {
  readonly conversations: ConversationStorage
  readonly runs: RunStorage
  readonly approvals: ApprovalStorage
  readonly files: FileStorage
  readonly settings: SettingsStorage
  readonly agents: AgentStorage
  readonly documents: DocumentStorage
  readonly tokens: TokenStorage
  readonly counters: CounterStorage
  readonly owners: OwnerStorage
  /** What the members of teams share. */
  readonly shared: SharedStorage
  /**
   * Returns a plugin's storage: for one conversation by its `conversationKey`, for an owner by the `ownerKey`, or
   * global. The values of a conversation are deleted with it.
   */
  storageOf: PluginStorages['storageOf']
  /** How much an owner has stored. The storage counts this with each write. */
  usage(owner: string): Promise<StorageUsage>
  /**
   * Exports all records, of one owner or of all, in an order in which they can be imported. What is stored meanwhile
   * may be missing, but never the parent of an exported record.
   */
  exportRecords(owner?: string): AsyncIterable<StoredRecord>
  /**
   * Imports records, or the lines of `braidwork store export`, and skips records whose id exists already. Returns the
   * number of imported records. A list is checked before anything is imported; of a stream, the records before a fault
   * may be imported.
   * @throws {HostError} REQUEST_INVALID if a record has another form or comes before its parent, if the head of a
   *   conversation is missing, or if an export was cut
   */
  importRecords(
    records: AsyncIterable<ExportMark | StoredRecord> | Iterable<ExportMark | StoredRecord>,
  ): Promise<number>
  /** Gives the space of all deleted data back at once. Other users of the storage wait meanwhile. */
  compact(): Promise<void>
  /** Checks whether the storage can be written. @throws {HostError} STORAGE_FAILED */
  check(): Promise<void>
  close(): Promise<void>
}
