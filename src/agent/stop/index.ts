/** When a run stops before its agent is done: the conditions, and what they are judged by. */
export { patternFaults } from './pattern-faults.ts'
export { ProgressCounter } from './progress.ts'
export { StopCheck, type StopFacts, type Stopped } from './stop-check.ts'
export { STOP_CONDITIONS_SCHEMA, type StopCondition } from './stop-conditions.ts'
export { reasonAgainstDollars, uncountedWarnings } from './uncounted.ts'
