export { applyEdits, type Edit } from './edits.ts'
export { type ExplainedTag, type ExplainOptions, type Explanation, explain } from './explain.ts'
export type { Obstacle } from './why-off.ts'
