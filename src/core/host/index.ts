export { AnswerMask } from './answer-mask.ts'
export { hasRetries } from './asked-config.ts'
export { checkedCaller } from './caller.ts'
export { createHost, createHostWith } from './create-host.ts'
export type { DryRunOptions } from './doors.ts'
export type { Embedded, EmbedInputs, EmbedOptions } from './embed.ts'
export { type EventSource, EventStream } from './event-stream.ts'
export type { AskedFeature, DeclaredValue, FeatureHooks } from './features.ts'
export { Host } from './host.ts'
export type { HostOptions } from './host-options.ts'
export type { LoweredTool, ToolSchemaOptions } from './lowered-tools.ts'
export { maskedError } from './masked-error.ts'
export type { DryRun, NativeRequestOptions } from './native-request.ts'
export { type AskOptions, MODEL_INFO, type OpenOptions } from './open-options.ts'
export type { OpenedConfig } from './opened-config.ts'
export {
  ANY_TEXT,
  assertKinds,
  assertOptionKinds,
  BOOLEAN,
  DURATION,
  ELSEWHERE,
  FUNCTION,
  havingMethods,
  ID,
  INSTANCE,
  invalidOption,
  isId,
  isListOf,
  isText,
  type Kind,
  type Kinds,
  LIST,
  listOf,
  OBJECT,
  objectOf,
  POSITIVE,
  TEXT,
  TEXTS,
} from './option-kinds.ts'
export { misspelledOption, refuseMisspelled, refuseUnknown, unknownOption } from './option-names.ts'
export type { Reported } from './reports.ts'
export type { Listener } from './request.ts'
export type { RequestOptions, RequestStream } from './request-stream.ts'
export { hostCalls, type Result, type ResultStatus, retryOf } from './result.ts'
export type { UiSchemaOptions, UiViewOptions } from './settings/ui-schema.ts'
export { linkSignals } from './signals/link-signals.ts'
export { allowListeners } from './signals/listeners.ts'
export { type CallOutcome, failure, outcomeOf, resultOf } from './tools/call-outcome.ts'
export type { LateAnswers } from './tools/late-answers.ts'
export type { PluginTool } from './tools/shown-tools.ts'
export { causePlace, thrownClass, thrownStack } from './tools/throw-place.ts'
export type { AskModel, ToolExecution } from './tools/tool-execution.ts'
export {
  type InventoryOptions,
  idleTools,
  namedTools,
} from './tools/tool-inventory.ts'
export { unknownTool } from './tools/unknown-tool.ts'
