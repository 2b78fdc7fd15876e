/**
 * The interface for other Braidwork packages, beyond the public one in `index.ts`. It may change in any version.
 */

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
  textOnly,
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
export { unmeasuredStorage } from './memory-storage/index.ts'
export { dollarsFor, type Price, type Tokens } from './price.ts'
export {
  type ChildRecord,
  CompactionRecord,
  type ExplainedCall,
  explainRun,
  type GoOn,
  type LeaseTimes,
  type LeftRun,
  type RunExplanation,
  type RunLeg,
  RunLog,
  type RunReader,
  type RunWork,
  reachedBy,
  resumptionOf,
  withRetries,
} from './run-log/index.ts'
export { treeBelow } from './run-tree/index.ts'
export {
  type AgentPlan,
  type Declared,
  type DeclaredRuntime,
  declaredRuntime,
  dryRunPlan,
  explained,
  type KnownIds,
  knownIds,
  maskedSpec,
  orderedPlan,
  PROMPT_CACHE,
  planWith,
  runPlan,
} from './runtime/index.ts'
export { permissionRules } from './sections/index.ts'
export { openCalls, settleCalls } from './settle-calls.ts'
export { faultsOf, type SpecFault } from './spec-faults.ts'
export {
  agentsIn,
  agentText,
  checkModelSpec,
  membersOf,
  REMOTE_TIMEOUT,
  SPEC_ID,
  throwFaults,
} from './specs/index.ts'
export {
  type AgentStorage,
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
  entryUnknown,
  type FileStorage,
  type FullCounter,
  type HeldRun,
  hashOf,
  isSameLate,
  type Lease,
  type ListedConversation,
  mergeDeltas,
  messageIdOf,
  type NewConversation,
  type NewEntry,
  type NewRun,
  ownerKey,
  ownerOfKey,
  PART_TYPES,
  parentMissing,
  parentOf,
  type RunEnd,
  type RunPage,
  type RunPlace,
  type RunStart,
  type RunStatus,
  type RunStorage,
  runUnknown,
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
  sharedSize,
  storageError,
  type TokenStorage,
  type WrittenJson,
  withResult,
  writtenJson,
} from './storage/index.ts'
export { teamToolNames } from './teams/index.ts'
export { toolless } from './without-tools.ts'
