import type { ChildLane } from '../storage/index.ts'

/** How deep a run may stand in its tree. AL-22 */
export const MOST_DEPTH = 5

/** The lane of a child run at a depth. */
export function laneAt(depth: number): ChildLane {
  return depth === 1 ? 'subagent' : 'nested'
}
