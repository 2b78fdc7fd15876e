export type {
  ApprovalEvent,
  RunEvent,
  StepFinishEvent,
  StepResetEvent,
  StepStartEvent,
  ToolExecutionEvent,
} from '../events/index.ts'
export { type RunOptions, type RunStream, run } from './loop.ts'
export type { RunResult } from './run-record.ts'
