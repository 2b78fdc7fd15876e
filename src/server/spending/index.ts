export { type Estimate, Meter } from './meter.ts'
