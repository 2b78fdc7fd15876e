export type {
  ApprovalEvent,
  RunEvent,
  StepFinishEvent,
  StepResetEvent,
  StepStartEvent,
  ToolExecutionEvent,
} from '../events/index.ts'
export type { ApprovalVerdict, PendingApproval, Resumption, Suspension } from './approvals.ts'
export { type Environment, type IdKind, systemEnvironment } from './environment.ts'
export { type RunAnswer, type RunOptions, type RunStream, run } from './loop.ts'
export type { RunResult } from './run-record.ts'
