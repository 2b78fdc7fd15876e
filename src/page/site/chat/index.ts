export { readAnswer } from './answer-stream.ts'
export { Chat } from './chat.ts'
export type { ChatStatus } from './chat-parts.ts'
export { PageState } from './page-state.ts'
