export type {
  Approval,
  Conversation,
  Entry,
  Storage,
  StoredRecord,
  StoredRun,
} from '../agent/storage/index.ts'
export { conversationKey } from '../agent/storage/index.ts'
export { memoryStorage } from './memory/index.ts'
export { openStorage } from './open-storage.ts'
