/** The lane in which a run works. Each lane of a tree has a number of places. AL-24 */
export type Lane = 'main' | 'subagent' | 'nested'

/** The lane of a child run. */
export type ChildLane = Exclude<Lane, 'main'>

/** Where a child run stands in its tree of runs. */
export interface RunPlace {
  readonly parentRunId: string
  /** The call of the parent that waits for the run. */
  readonly parentCallId: string
  readonly rootRunId: string
  /** How many runs are above it, from 1. */
  readonly depth: number
  readonly lane: ChildLane
  /** The id of its agent. */
  readonly agent: string
  /** The ids of the agents above it, the root's first. A root without an agent has none. */
  readonly above: readonly string[]
}
