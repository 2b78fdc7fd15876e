export type {
  RunEvent,
  StepFinishEvent,
  StepStartEvent,
  ToolExecutionEvent,
} from '../events/index.ts'
export { type RunOptions, type RunResult, type RunStream, run } from './loop.ts'
