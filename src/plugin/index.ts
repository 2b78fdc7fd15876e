export type { Phase } from '../errors.ts'
export type {
  DataPart,
  FilePart,
  FinishReason,
  Message,
  MessageMetadata,
  Part,
  PartialEvent,
  ReasoningPart,
  Role,
  SourcePart,
  StreamEvent,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  Usage,
} from '../events/index.ts'
export type {
  Config,
  Limits,
  ReasoningEffort,
  ResponseFormat,
  Settings,
  ToolChoice,
  ToolPolicy,
} from './config.ts'
export type { ActionContext, Context, Log, ModelInfo, PluginStorage } from './context.ts'
export { HOOKS, type Hook, type HookName, VALUES, type ValueName } from './hooks.ts'
export { KINDS, type Kind } from './kinds.ts'
export type { Extension, Feature, Plugin, Provider, Tool } from './plugin.ts'
export type { Answer, EnablementContext, State, Step, UiElement, UiInput } from './signatures.ts'
export type {
  ModelTool,
  ToolCall,
  ToolOutput,
  ToolResult,
  ToolSafety,
  ToolSchema,
} from './tools.ts'
