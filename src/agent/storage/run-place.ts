/** The lane in which a run works. Each lane of a tree has a number of places. AL-24 */
export type Lane = 'main' | 'subagent' | 'nested'

/** The lane of a child run. */
export type ChildLane = Exclude<Lane, 'main'>

/** Where a child run stands in its tree of runs. */
export interface RunPlace {
  readonly parentRunId: string
  /** The call of the parent that waits for the run. */
  readonly parentCallId: string
  /** The step of the parent in which it made the call: a model may use the id of a call again in a later step. */
  readonly parentStep?: number
  /** Which task of the call the run is, if the call has several. */
  readonly task?: number
  readonly rootRunId: string
  /** How many runs are above it, from 1. */
  readonly depth: number
  readonly lane: ChildLane
  /** The id of its agent. */
  readonly agent: string
  /** The ids of the agents above it, the root's first. A root without an agent has none. */
  readonly above: readonly string[]
}
