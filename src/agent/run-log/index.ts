export { UNREAD } from './abandoned.ts'
export { withRetries } from './commit-queue.ts'
export { CompactionRecord } from './compaction-record.ts'
export { untoldUsage, untoldWhileWaiting } from './earlier-legs.ts'
export type { LeaseTimes } from './leases.ts'
export type { LeftLeg, LeftRun } from './left-runs.ts'
export { SERVER_STOPPING } from './live-run.ts'
export type {
  ChildLog,
  ChildRecord,
  GoOn,
  ReadOptions,
  RunBeginning,
  RunLeg,
  RunLogOptions,
  RunWork,
} from './options.ts'
export { reachedBy } from './reached.ts'
export { resumptionOf } from './resumption.ts'
export {
  type ExplainedCall,
  type ExplainedStep,
  explainRun,
  type RunExplanation,
} from './run-explanation.ts'
export { RunLog } from './run-log.ts'
export type { RunReader } from './run-reader.ts'
export { waitingHistory } from './waiting-history.ts'
