export type {
  ApprovalEvent,
  HookFaultEvent,
  KeptState,
  LateAnswerEvent,
  ModelChoice,
  ModelChosenEvent,
  ModelFailedEvent,
  RunEvent,
  RunProgress,
  RunResumedEvent,
  RunStateEvent,
  SteeringEvent,
  StepFinishEvent,
  StepResetEvent,
  StepStartEvent,
  Termination,
  ToolExecutionEvent,
  ToolInventoryEvent,
} from '@braidwork/plugin'
export type { ApprovalVerdict, PendingApproval, Resumption, Suspension } from './approvals.ts'
export type {
  AgentBackend,
  BackendCapabilities,
  BackendFactory,
  DiscoveredAgent,
  RemoteOrder,
} from './backends/index.ts'
export {
  type CompactedHistory,
  type CompactedMessages,
  type CompactionSection,
  messagesAfter,
} from './compaction/index.ts'
export { type Environment, type IdKind, systemEnvironment } from './environment.ts'
export type {
  AgentEnvironment,
  AgentEvent,
  EnvironmentHook,
  HookCall,
  InstructionsFile,
  MissedEvents,
  SubscribeOptions,
  Subscription,
} from './environment-hooks/index.ts'
export { historyOf } from './history/index.ts'
export type { InterruptedAt, Interruption, LeftCalls } from './interruption.ts'
export { run } from './loop.ts'
export { memoryStorage } from './memory-storage/index.ts'
export {
  inheritedIdentity,
  narrowed,
  RuleBook,
  type RunIdentity,
  type RunRules,
  type RunScope,
  runIdentity,
} from './policy/index.ts'
export { answerFault, answerSchemaOf, type Question } from './questions.ts'
export { CircuitBreakers, type RetrySection } from './retry/index.ts'
export type { Routing, RunModel } from './routing.ts'
export type { RunAnswer } from './run-answer.ts'
export type { RunOptions } from './run-options.ts'
export type { RunResult, RunStream } from './run-result.ts'
export {
  AgentRegistry,
  type AgentState,
  type AgentTransition,
  agentMoved,
  agentState,
  type CollectedRequest,
  type CollectedResult,
  pendingAgent,
  type RegistryOptions,
  ResultCollector,
  TIMES_TO_LIVE,
  type TrackedAgent,
  type TreeAgent,
  trackedAgent,
} from './run-tree/index.ts'
export {
  type AgentFault,
  type AgentRunOptions,
  type AgentRuntime,
  type AgentWarning,
  type BuilderOptions,
  type CompactOptions,
  createRuntime,
  type LimitSource,
  type RemoteSource,
  type ResolvedAgent,
  type ResolvedLimit,
  type RuntimeBuilder,
  type RuntimeOptions,
  type RuntimeTool,
  runtimeBuilder,
} from './runtime/index.ts'
export {
  AGENT_SPEC_SCHEMA,
  type AgentEndpoint,
  type AgentFiles,
  type AgentSpec,
  type ContextPolicy,
  MODEL_POOL_SCHEMA,
  MODEL_SPEC_SCHEMA,
  type ModelPool,
  type ModelSpec,
  readAgentFiles,
} from './specs/index.ts'
export { Steering } from './steering.ts'
export { STOP_CONDITIONS_SCHEMA, type StopCondition } from './stop/index.ts'
export {
  type Approval,
  type CompactionMarker,
  type Conversation,
  conversationKey,
  type Entry,
  type ExportMark,
  type KeptFact,
  type Storage,
  type StoredRecord,
  type StoredRun,
} from './storage/index.ts'
export { type InputSchema, type JsonInputSchema, type ToolDefinition, tool } from './tool.ts'
