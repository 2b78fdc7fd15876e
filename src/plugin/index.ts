/** The definition of a plugin, and the values that plugins need at run time. */
export type {
  Config,
  Limits,
  ReasoningEffort,
  ResponseFormat,
  Settings,
  ToolChoice,
  ToolPolicy,
} from './config.ts'
export type { ActionContext, Caller, Context, Log, ModelInfo, PluginStorage } from './context.ts'
export {
  defineExtension,
  defineFeature,
  defineProvider,
  defineTool,
  type SettingsOf,
} from './define.ts'
export { ERROR_CODES, type ErrorCode } from './error-codes.ts'
export { type Diagnostic, type ErrorData, HostError, type Phase } from './errors.ts'
export type * from './events/index.ts'
export {
  Accumulator,
  addUsage,
  CONTEXT_KINDS,
  CONTEXT_STATUSES,
  checkPairs,
  EventChecker,
  eventsOf,
  eventsOfAll,
  FINISH_REASONS,
  findJsonFault,
  GrowingText,
  isEnding,
  isMessage,
  isObject,
  pointerOf,
  RUN_PHASES,
  textOf,
  toMessages,
  toUsage,
  usageFaults,
} from './events/index.ts'
export type { Hook } from './hook.ts'
export { HOOKS, type HookName } from './hooks.ts'
export { KINDS, type Kind } from './kinds.ts'
export type { Extension, Feature, Plugin, Provider, Tool } from './plugin.ts'
export type { HookRequest, PhaseAnswer, RunHook, RunSnapshot, StateKey } from './run-hooks.ts'
export type {
  Answer,
  ChunkResult,
  EnablementContext,
  Headers,
  State,
  UiElement,
  UiInput,
} from './signatures.ts'
export type {
  GatedCall,
  ModelAnswer,
  ModelRequest,
  ModelTool,
  ToolCall,
  ToolCallEdit,
  ToolCallInfo,
  ToolGateVerdict,
  ToolOutput,
  ToolQuestion,
  ToolResult,
  ToolResultEdit,
  ToolSchema,
} from './tools.ts'
export { VALUES, type ValueName } from './values.ts'
export { VERSION } from './version.ts'
