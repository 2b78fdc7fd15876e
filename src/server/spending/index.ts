export { type Estimate, Meter, type MeteredLeg, stepOf } from './meter.ts'
export { amountsOfStep, type MeteredStep, usedInStep } from './step-cost.ts'
