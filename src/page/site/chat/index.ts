export { readAnswer } from './answer-stream.ts'
export { Chat, type ChatStatus } from './chat.ts'
export { PageState } from './page-state.ts'
