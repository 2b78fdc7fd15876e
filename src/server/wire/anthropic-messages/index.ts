export { anthropicMessagesAnswer } from './answer.ts'
export type { MessageOptions } from './blocks.ts'
export { anthropicMessagesEncoder } from './encoder.ts'
export { anthropicErrorAnswer } from './error.ts'
export {
  type AnthropicMessagesRequest,
  decodeAnthropicMessages,
  messageOptionsOf,
} from './request.ts'
