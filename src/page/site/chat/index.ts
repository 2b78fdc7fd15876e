export { readAnswer } from './answer-stream.ts'
export { Chat } from './chat.ts'
export type { ChatStatus } from './chat-events.ts'
export { PageState } from './page-state.ts'
