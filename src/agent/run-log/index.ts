export { withRetries } from './commit-queue.ts'
export type { LeaseTimes } from './leases.ts'
export type { LeftRun } from './left-runs.ts'
export { reachedBy } from './reached.ts'
export { resumptionOf } from './resumption.ts'
export {
  type GoOn,
  type RunBeginning,
  type RunLeg,
  RunLog,
  type RunLogOptions,
  type RunWork,
} from './run-log.ts'
export type { ReadOptions, RunReader } from './run-reader.ts'
