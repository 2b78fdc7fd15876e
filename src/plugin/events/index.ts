export { Accumulator } from './accumulator.ts'
export { checkPairs, SealedMessages, toMessages } from './check-messages.ts'
export type { CompactionEvent, KeptFact, WithinRun } from './compaction-events.ts'
export {
  CONTEXT_KINDS,
  CONTEXT_STATUSES,
  type ContextItem,
  type ContextReport,
  type ContextResolvedEvent,
} from './context.ts'
export { EventChecker } from './event-checker.ts'
export {
  type AbortEvent,
  type EndingEvent,
  type ErrorEvent,
  type FinishEvent,
  isEnding,
  type PartEvent,
  type PartialEvent,
  type SegmentEvent,
  type StartEvent,
  type StreamEvent,
} from './events.ts'
export { GrowingText } from './growing-text.ts'
export {
  findJsonFault,
  frozenCopy,
  inputOf,
  isObject,
  type JsonFault,
  type JsonObject,
  type JsonSchema,
  pointerOf,
} from './json.ts'
export { eventsOf, eventsOfAll } from './message-events.ts'
export {
  type DataPart,
  FINISH_REASONS,
  type FilePart,
  type FinishReason,
  isMessage,
  type Message,
  type MessageMetadata,
  type MessagesInput,
  type Part,
  type ReasoningPart,
  type ResultReference,
  type Role,
  type SourcePart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
} from './messages.ts'
export type { ModelChoice, ModelChosenEvent, ModelFailedEvent } from './model-events.ts'
export type {
  ApprovalEvent,
  HookFaultEvent,
  KeptState,
  LateAnswerEvent,
  LateEvent,
  RunEvent,
  RunEventBody,
  RunProgress,
  RunResumedEvent,
  RunStateEvent,
  SteeringEvent,
  StepFinishEvent,
  StepResetEvent,
  StepStartEvent,
  ToolExecutionEvent,
  ToolInventoryEvent,
} from './run-events.ts'
export { RUN_PHASES, type RunPhase, type Termination } from './run-phases.ts'
export type {
  Artifact,
  FinalCallState,
  InventoryTool,
  ResultEvidence,
  RuntimeOwner,
  ToolCallError,
  ToolCapability,
  ToolErrorClass,
  ToolHookRecord,
  ToolPolicyDecision,
  ToolSafety,
} from './tool-calls.ts'
export { addUsage, toUsage, type Usage, usageFaults } from './usage.ts'
