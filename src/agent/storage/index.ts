export type { Approval, ApprovalStorage, StoredAnswer } from './approvals.ts'
export { byName } from './by-name.ts'
export { ContextValues } from './context-values.ts'
export { conversationKey, ownerKey, ownerOfKey } from './conversation-key.ts'
export {
  type Append,
  type CompactionMarker,
  type CompactionTrigger,
  type Conversation,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  type Entry,
  type EntryContent,
  type EntryOrigin,
  type KeptFact,
  type ListedConversation,
  messageIdOf,
  type NewConversation,
  type NewEntry,
  type SearchHit,
} from './conversations.ts'
export type {
  CounterChange,
  CounterStorage,
  CounterTake,
  CounterWindow,
  FullCounter,
} from './counters.ts'
export type {
  AgentStorage,
  DocumentKind,
  DocumentStorage,
  FileStorage,
  SettingsStorage,
  StoredAgent,
  StoredDocument,
  StoredFile,
} from './documents.ts'
export { ExportMarks } from './export-marks.ts'
export {
  agentNameTaken,
  agentUnknown,
  conversationExists,
  conversationUnknown,
  entryUnknown,
  runUnknown,
} from './faults.ts'
export { hashOf } from './file-hash.ts'
export { isSameLate } from './late-answer.ts'
export { mergeDeltas, PART_TYPES } from './merge-deltas.ts'
export type { Owned, OwnerStorage } from './owners.ts'
export { readRecords } from './read-records.ts'
export { parentMissing, parentOf, type RecordParent } from './record-parent.ts'
export { RecordReader } from './record-reader.ts'
export type { ExportMark, StoredRecord } from './records.ts'
export type { ChildLane, Lane, RunPlace } from './run-place.ts'
export type {
  EventBatch,
  HeldRun,
  Lease,
  NewRun,
  RunEnd,
  RunPage,
  RunStart,
  RunStatus,
  RunStorage,
  StoredRun,
} from './runs.ts'
export { folded, hasWords, onOneLine, searchedIn, wordsIn } from './search.ts'
export { type SharedContext, storedContext } from './shared-context.ts'
export {
  assertFresh,
  assertRoom,
  assertSharable,
  byKey,
  type SharedStorage,
  type SharedValue,
  type SharedWrite,
  sharedSize,
} from './shared-values.ts'
export type { Storage, StorageUsage } from './storage.ts'
export { storageError } from './storage-error.ts'
export type { StoredToken, TokenStorage } from './tokens.ts'
export { withResult } from './with-result.ts'
export { bytesOf, type WrittenJson, writtenJson } from './written-json.ts'
