export { type AnswerLimit, limitError } from './answer-limit.ts'
export { answerReader } from './answers.ts'
export {
  askValue,
  type BoundHook,
  bindHook,
  callHook,
  type HookFrame,
  hasHook,
  hasValue,
  hookError,
  isPromise,
  readAnswerChunks,
  readChunks,
  readTexts,
  readValue,
} from './call-hook.ts'
export { Progress } from './chunk-reader.ts'
export { type ChunkHook, type ChunkHooks, JOIN, joinHooks } from './segments.ts'
export { abortError, BEGUN, leftOf, settle } from './settle.ts'
export type { Sink } from './sink.ts'
