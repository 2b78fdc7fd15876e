export type {
  Approval,
  Conversation,
  Entry,
  Storage,
  StoredRecord,
  StoredRun,
} from '@braidwork/agent'
export { conversationKey, memoryStorage } from '@braidwork/agent'
export { openStorage } from './open-storage.ts'
