export { type ChatOptions, chat } from './chat.ts'
