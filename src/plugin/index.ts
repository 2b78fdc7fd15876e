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
export { ERROR_CODES, type ErrorCode } from './error-codes.ts'
export { type Diagnostic, type ErrorData, HostError, type Phase } from './errors.ts'
export {
  type AbortEvent,
  Accumulator,
  type ApprovalEvent,
  addUsage,
  checkPairs,
  type DataPart,
  type EndingEvent,
  type ErrorEvent,
  EventChecker,
  eventsOf,
  eventsOfAll,
  FINISH_REASONS,
  type FilePart,
  type FinalCallState,
  type FinishEvent,
  type FinishReason,
  findJsonFault,
  GrowingText,
  isEnding,
  isMessage,
  isObject,
  type JsonFault,
  type JsonObject,
  type Message,
  type MessageMetadata,
  type MessagesInput,
  type Part,
  type PartEvent,
  type PartialEvent,
  pointerOf,
  type ReasoningPart,
  type Role,
  type RunEvent,
  type RunEventBody,
  type SegmentEvent,
  type SourcePart,
  type StartEvent,
  type StepFinishEvent,
  type StepResetEvent,
  type StepStartEvent,
  type StreamEvent,
  type TextPart,
  type ToolCallError,
  type ToolCallPart,
  type ToolCapability,
  type ToolErrorClass,
  type ToolExecutionEvent,
  type ToolPolicyDecision,
  type ToolResultPart,
  type ToolSafety,
  textOf,
  toMessages,
  toUsage,
  type Usage,
  usageFaults,
} from './events/index.ts'
export type { Hook } from './hook.ts'
export { HOOKS, type HookName } from './hooks.ts'
export { KINDS, type Kind } from './kinds.ts'
export type { Extension, Feature, Plugin, Provider, Tool } from './plugin.ts'
export type {
  Answer,
  ChunkResult,
  EnablementContext,
  State,
  UiElement,
  UiInput,
} from './signatures.ts'
export type {
  ModelTool,
  ToolCall,
  ToolOutput,
  ToolResult,
  ToolSchema,
} from './tools.ts'
export { VALUES, type ValueName } from './values.ts'
export { VERSION } from './version.ts'
