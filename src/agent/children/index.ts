/** Child runs: the agents that a run asks, and what becomes of them. */
export type { ChildLimits, ChildOrder, Delegate, Parent } from './child.ts'
export { ChildRuns } from './child-runs.ts'
export { delegateTool, delegateToolName } from './delegate-tool.ts'
export type { ChildProgress } from './progress-of.ts'
export { SPAWN, SPAWN_TOOL } from './spawn-tool.ts'
