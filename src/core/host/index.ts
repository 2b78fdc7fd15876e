export { type CallOutcome, failure, outcomeOf, resultOf } from './call-outcome.ts'
export { checkedCaller } from './caller.ts'
export { createHost } from './create-host.ts'
export type { PluginTool } from './doors.ts'
export type { Embedded, EmbedInputs, EmbedOptions } from './embed.ts'
export { type EventSource, EventStream } from './event-stream.ts'
export type { AskedFeature, DeclaredValue, FeatureHooks } from './features.ts'
export { Host } from './host.ts'
export type { HostOptions } from './host-options.ts'
export type { LateAnswers } from './late-answers.ts'
export { linkSignals } from './link-signals.ts'
export type { LoweredTool, ToolSchemaOptions } from './lowered-tools.ts'
export type { AskOptions, OpenOptions } from './open-options.ts'
export type { OpenedConfig } from './opened-config.ts'
export type { Listener } from './request.ts'
export type { RequestOptions, RequestStream } from './request-stream.ts'
export { hostCalls, type Result, retryOf } from './result.ts'
export { type ToolExecution, unknownTool } from './tool-execution.ts'
export {
  type InventoryOptions,
  idleTools,
  namedTools,
} from './tool-inventory.ts'
export type { UiSchemaOptions, UiViewOptions } from './ui-schema.ts'
