/// <reference lib="esnext.disposable" preserve="true" />

export type { Config, Log } from '@braidwork/plugin'
export {
  Accumulator,
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  type ErrorData,
  EventChecker,
  type FinishReason,
  HostError,
  type InventoryTool,
  type Message,
  type MessagesInput,
  type Part,
  type StreamEvent,
  textOf,
  type Usage,
} from '@braidwork/plugin'
export { type ConfigLayer, mergeLayers } from './config/index.ts'
export type { DryRunStep } from './dry-run/index.ts'
export type { Edit, Explanation, Obstacle } from './explain/index.ts'
export {
  type Action,
  editConfig,
  type Section,
  type SettingsDocument,
  type SettingsFormat,
  type SettingsViews,
} from './forms/index.ts'
export {
  type AskOptions,
  createHost,
  type DryRun,
  type DryRunOptions,
  type Embedded,
  type EmbedInputs,
  type EmbedOptions,
  Host,
  type HostOptions,
  type InventoryOptions,
  type Listener,
  type LoweredTool,
  type OpenedConfig,
  type OpenOptions,
  type PluginTool,
  type RequestOptions,
  type RequestStream,
  type Result,
  type ResultStatus,
  type ToolExecution,
  type ToolSchemaOptions,
  type UiSchemaOptions,
  type UiViewOptions,
} from './host/index.ts'
export { type Resolution, RULES, type TraceEntry } from './resolve/index.ts'
export { memoryResults, type ResultStore, type StoredResult } from './results/index.ts'
export type { CallerTool, OfferedTool, ReasonFacts, ToolReason } from './tool-schemas/index.ts'
export { type Lost, type ToolSchemaFormat, withoutNulls } from './tool-schemas/index.ts'
