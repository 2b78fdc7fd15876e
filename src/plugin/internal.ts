/** The room's face for the rooms above it; authors see `index.ts`. */

export { type AnswerLimit, limitError } from './answer-limit.ts'
export { readAnswer } from './answers.ts'
export {
  askValue,
  type BoundHook,
  bindHook,
  callHook,
  type HookFrame,
  hasHook,
  hookError,
  isPromise,
  readAnswerChunks,
  readChunks,
  readTexts,
  readValue,
} from './call-hook.ts'
export { type CheckedPlugin, checkPlugin } from './check-plugin.ts'
export {
  type Config,
  DEFAULT_LIMITS,
  type KnownConfig,
  type Limits,
  limitsOf,
  type Settings,
} from './config.ts'
export {
  type ActionContext,
  type Context,
  type ContextOf,
  createContexts,
  type Log,
  type ModelInfo,
  SCOPE,
} from './context.ts'
export { FrozenSet } from './frozen-set.ts'
export {
  HOOKS,
  type Hook,
  type HookName,
  limitOf,
  type PluginValue,
  VALUES,
  type ValueName,
} from './hooks.ts'
export { IdleTimer } from './idle-timer.ts'
export { KINDS, type Kind } from './kinds.ts'
export type { AnyPlugin, Plugin } from './plugin.ts'
export { Progress } from './progress.ts'
export { type ChunkHook, type ChunkHooks, JOIN, joinHooks } from './segments.ts'
export {
  abortError,
  BEGUN,
  LONGEST_TIMER,
  leftOf,
  settle,
  timeoutError,
  timerOf,
} from './settle.ts'
export type { EnablementContext, State, UiElement } from './signatures.ts'
export type { Sink } from './sink.ts'
export { MemoryStorage, type PluginStorages } from './storage.ts'
export type { ModelTool, ToolCall, ToolOutput, ToolSafety, ToolSchema } from './tools.ts'
