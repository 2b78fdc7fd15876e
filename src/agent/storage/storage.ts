import type { PluginStorages } from '@braidwork/core/internal'
import type { ApprovalStorage } from './approvals.ts'
import type { ConversationStorage } from './conversations.ts'
import type { AgentStorage, DocumentStorage, FileStorage, SettingsStorage } from './documents.ts'
import type { StoredRecord } from './records.ts'
import type { RunStorage } from './runs.ts'

/** How much is stored for an owner. */
export interface StorageUsage {
  /** Of messages, events, files and all else, as JSON in UTF-8; files count once for each that has them. */
  readonly bytes: number
  readonly conversations: number
  readonly files: number
}

/**
 * Where conversations, runs and what belongs to them are kept. Everything has an owner, the id of an
 * identity; whoever asks as another is told that it is not there. Ids are the caller's to make. Times are
 * milliseconds since 1970. What is given and what is answered are JSON values that neither side changes.
 *
 * Every method rejects with a HostError: STORAGE_FAILED (`retryable` where waiting may help),
 * STORAGE_NEWER, REQUEST_INVALID for an id, a name or a title with U+0000, which databases do not keep, or
 * the codes that it names.
 */
export interface Storage {
  readonly conversations: ConversationStorage
  readonly runs: RunStorage
  readonly approvals: ApprovalStorage
  readonly files: FileStorage
  readonly settings: SettingsStorage
  readonly agents: AgentStorage
  readonly documents: DocumentStorage
  /**
   * What plugins keep, for a conversation by its `conversationKey`, with which it goes, for an owner alone by
   * its `ownerKey`, or for nobody.
   */
  storageOf: PluginStorages['storageOf']
  /** What an owner has stored, counted where it is stored. */
  usage(owner: string): Promise<StorageUsage>
  /** All that is stored, of one owner or of all, in an order in which it can be read back. */
  exportRecords(owner?: string): AsyncIterable<StoredRecord>
  /**
   * Takes records over; one whose id is there already is left out.
   * @throws {HostError} REQUEST_INVALID where a record comes before what it is a part of
   */
  importRecords(records: AsyncIterable<StoredRecord> | Iterable<StoredRecord>): Promise<number>
  /** Gives the room of all that was deleted back at once; whoever else uses the storage waits. */
  compact(): Promise<void>
  /** Whether it can be written. @throws {HostError} STORAGE_FAILED */
  check(): Promise<void>
  close(): Promise<void>
}
