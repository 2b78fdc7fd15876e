export type { Approval, ApprovalStorage, StoredAnswer } from './approvals.ts'
export { conversationKey, ownerKey, ownerOfKey } from './conversation-key.ts'
export type {
  Conversation,
  ConversationChange,
  ConversationPage,
  ConversationStorage,
  Entry,
  EntryContent,
  ListedConversation,
  NewConversation,
  NewEntry,
} from './conversations.ts'
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
export type { StoredRecord } from './records.ts'
export type {
  EventBatch,
  HeldRun,
  Lease,
  NewRun,
  RunEnd,
  RunStart,
  RunStatus,
  RunStorage,
  StoredRun,
} from './runs.ts'
export type { Storage, StorageUsage } from './storage.ts'
