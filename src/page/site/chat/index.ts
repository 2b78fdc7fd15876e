export { Chat, type ChatStatus } from './chat.ts'
export { ConversationList } from './conversation-list.ts'
export { PageState } from './page-state.ts'
