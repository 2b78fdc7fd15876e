export { type Estimate, Meter } from './meter.ts'
export { costOfStep } from './step-cost.ts'
export { tokensInAll, tokensOf } from './tokens.ts'
