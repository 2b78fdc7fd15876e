export type {
  RunEvent,
  StepFinishEvent,
  StepStartEvent,
  ToolExecutionEvent,
} from '../events/index.ts'
export { type RunOptions, type RunStream, run } from './loop.ts'
export type { RunResult } from './run-record.ts'
