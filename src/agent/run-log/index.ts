export { withRetries } from './commit-queue.ts'
export type { LeaseTimes } from './leases.ts'
export { type ReadOptions, type RunBeginning, RunLog, type RunLogOptions } from './run-log.ts'
export type { RunReader } from './run-reader.ts'
