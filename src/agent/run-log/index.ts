export {
  type LeaseTimes,
  type ReadOptions,
  type RunBeginning,
  RunLog,
  type RunLogOptions,
} from './run-log.ts'
export type { RunReader } from './run-reader.ts'
