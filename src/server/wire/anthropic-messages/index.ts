export { anthropicMessagesAnswer } from './answer.ts'

export { anthropicMessagesEncoder } from './encoder.ts'
export { anthropicErrorAnswer } from './error.ts'
export {
  type AnthropicMessagesRequest,
  decodeAnthropicMessages,
  streamsInputOf,
} from './request.ts'
