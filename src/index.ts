/// <reference lib="esnext.disposable" preserve="true" />
export {
  type Diagnostic,
  ERROR_CODES,
  type ErrorCode,
  type ErrorData,
  HostError,
} from './errors.ts'
export {
  Accumulator,
  EventChecker,
  type FinishReason,
  type Message,
  type MessagesInput,
  type Part,
  type StreamEvent,
  textOf,
  type Usage,
} from './events/index.ts'
export {
  type AskOptions,
  createHost,
  Host,
  type HostOptions,
  type Listener,
  type LoweredTool,
  type OfferedTool,
  type OpenedConfig,
  type OpenOptions,
  type PluginTool,
  type RequestOptions,
  type RequestStream,
  type Result,
  type ToolExecution,
  type ToolSchemaOptions,
  type UiSchemaOptions,
  type UiViewOptions,
} from './host/index.ts'
export type { Config, Log } from './plugin/internal.ts'
export {
  type Edit,
  type Explanation,
  type Resolution,
  RULES,
  type TraceEntry,
} from './resolve/index.ts'
export {
  type Action,
  editConfig,
  type Section,
  type SettingsDocument,
  type SettingsFormat,
  type SettingsViews,
} from './schema/form/index.ts'
export { type ConfigLayer, mergeLayers } from './schema/layers.ts'
export type { CallerTool } from './schema/offered-tools.ts'
export { type Lost, type ToolSchemaFormat, withoutNulls } from './schema/tools/index.ts'
