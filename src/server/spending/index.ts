export { type Estimate, Meter } from './meter.ts'
export { tokensInAll, tokensOf } from './tokens.ts'
