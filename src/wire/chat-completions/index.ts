export { chatCompletionAnswer } from './answer.ts'
export { ChatCompletionChecker } from './checker.ts'
export { type ChatCompletionOptions, chatCompletionEncoder } from './encoder.ts'
export { type ChatCompletionRequest, decodeChatCompletion } from './request.ts'
