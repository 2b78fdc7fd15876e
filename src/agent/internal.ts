/**
 * The interface for other Braidwork packages, beyond the public one in `index.ts`. It may change in any version.
 */

export { tokenMask } from './backends/index.ts'
export { type ChildProgress, childProgressIn, delegateToolName, SPAWN } from './children/index.ts'
export {
  type AskModel,
  type Compacted,
  type CompactionPolicy,
  type CompactionSection,
  compactConversation,
  compactionPolicyOf,
  OWN_COMPACTION,
  summaryModelOf,
} from './compaction/index.ts'
export type { RunDryRun } from './dry-run.ts'
export { wrappedInstructions } from './environment-hooks/index.ts'
export { tokensIn, tokensInAll, tokensOf } from './estimated-tokens.ts'
export {
  exportFacts,
  FACT_FORMATS,
  type Fact,
  type FactFormat,
  type ToolRecord,
} from './facts/index.ts'
export {
  copiedEntries,
  deletedPart,
  historyOfNodes,
  isDeleted,
  loadShownNodes,
  type MessageNode,
  nodesOf,
  type PathNode,
  shownMessages,
  withArchiveChecked,
} from './history/index.ts'
export { isOfHost } from './host-message.ts'
export { unmeasuredStorage } from './memory-storage/index.ts'
export { dollarsFor, type Price, type Tokens } from './price.ts'
export { asksPermission } from './questions.ts'
export {
  type ChildRecord,
  CompactionRecord,
  type ExplainedCall,
  explainRun,
  type GoOn,
  type LeaseTimes,
  type LeftLeg,
  type LeftRun,
  type ReadOptions,
  type RunExplanation,
  type RunLeg,
  RunLog,
  type RunReader,
  type RunWork,
  reachedBy,
  resumptionOf,
  SERVER_STOPPING,
  UNREAD,
  untoldUsage,
  untoldWhileWaiting,
  waitingHistory,
  withRetries,
} from './run-log/index.ts'
export { ENVIRONMENT } from './run-option-kinds.ts'
export { treeBelow } from './run-tree/index.ts'
export {
  type AgentPlan,
  type Declared,
  type DeclaredRuntime,
  declaredRuntime,
  dryRunPlan,
  explained,
  firstRequests,
  type KnownIds,
  knownIds,
  maskedSpec,
  modelFaults,
  orderedPlan,
  PROMPT_CACHE,
  planWith,
  runPlan,
} from './runtime/index.ts'
export { permissionRules, RUNTIME_CLAIMS } from './sections/index.ts'
export { openCalls, settleCalls } from './settle-calls.ts'
export { faultsOf, type SpecFault } from './spec-faults.ts'
export {
  AS_WRITTEN,
  agentsIn,
  agentText,
  checkModelSpec,
  membersOf,
  OWNED_KEYS,
  REMOTE_TIMEOUT,
  SPEC_ID,
  throwFaults,
} from './specs/index.ts'
export {
  type AgentStorage,
  type Append,
  type ApprovalStorage,
  agentNameTaken,
  agentUnknown,
  assertFresh,
  assertRoom,
  assertSharable,
  byKey,
  byName,
  bytesOf,
  type ConversationChange,
  type ConversationPage,
  type ConversationStorage,
  type CounterChange,
  type CounterStorage,
  type CounterTake,
  type CounterWindow,
  conversationExists,
  conversationUnknown,
  type DocumentKind,
  type DocumentStorage,
  type EntryContent,
  type EntryOrigin,
  type EventBatch,
  ExportMarks,
  entryUnknown,
  type FileStorage,
  type FullCounter,
  folded,
  type HeldRun,
  hashOf,
  hasWords,
  isSameLate,
  type Lease,
  type ListedConversation,
  mergeDeltas,
  messageIdOf,
  type NewConversation,
  type NewEntry,
  type NewRun,
  onOneLine,
  ownerKey,
  ownerOfKey,
  PART_TYPES,
  parentMissing,
  parentOf,
  RecordReader,
  type RunEnd,
  type RunPage,
  type RunPlace,
  type RunStart,
  type RunStatus,
  type RunStorage,
  readRecords,
  runUnknown,
  type SearchHit,
  type SettingsStorage,
  type SharedStorage,
  type SharedValue,
  type SharedWrite,
  type StorageUsage,
  type StoredAgent,
  type StoredAnswer,
  type StoredDocument,
  type StoredFile,
  type StoredToken,
  searchedIn,
  sharedSize,
  storageError,
  type TokenStorage,
  type WrittenJson,
  withResult,
  wordsIn,
  writtenJson,
} from './storage/index.ts'
export { teamToolNames } from './teams/index.ts'
export { textOnly } from './text-only.ts'
export { toolless } from './without-tools.ts'
