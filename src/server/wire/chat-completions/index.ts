export { chatCompletionAnswer } from './answer.ts'
export { chatCompletionOptions } from './client.ts'
export { type ChatCompletionOptions, chatCompletionEncoder } from './encoder.ts'
export { decodeChatCompletion } from './request.ts'
