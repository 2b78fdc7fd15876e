export { type Estimate, Meter, type MeteredLeg } from './meter.ts'
export { amountsOfStep } from './step-cost.ts'
