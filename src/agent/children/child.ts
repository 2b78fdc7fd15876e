import type { Message, RunEvent, ToolCall, Usage } from '@braidwork/plugin'
import type { Resumption } from '../approvals.ts'
import type { Interruption } from '../interruption.ts'
import type { RuleBook, RunIdentity } from '../policy/index.ts'
import type { RunAnswer } from '../run-answer.ts'
import type { RunResult } from '../run-result.ts'
import type { Stopped } from '../stop/index.ts'
import type { RunPlace } from '../storage/index.ts'
import type { LanePlace, Lanes } from './lanes.ts'
import type { FindLeftChild } from './left-child.ts'
import type { ChildProgress } from './progress-of.ts'

/** What a child run has of the run that waits for it. */
export interface Parent {
  readonly place: RunPlace
  readonly lanes: Lanes
  readonly lanePlace: LanePlace
  /** Counts what the child's own children had used before they were taken up. AL-22 */
  readonly onSpent: (usage: Usage) => void
  /** The budget of the run that waits, or of one above it, that is used up. No request follows then. */
  readonly spent: () => Stopped | undefined
  /** Tells what the child's own children do. */
  readonly onProgress: (progress: ChildProgress) => void
}

/** How many child runs a run has at once and in all, and for how long. AL-20 */
export interface ChildLimits {
  /** The default is 5. */
  readonly at_once?: number
  /** The most child runs below a root in one leg of it, at all depths. The default is 2,000. Read from the root. */
  readonly total?: number
  /** The default is 300. Waiting for a place counts once the child has begun, waiting for a person does not. */
  readonly seconds?: number
}

/** How a child run begins, or goes on: after an answer, or where it was interrupted. */
export interface ChildOrder {
  readonly runId: string
  /** What the agent is asked; of a further leg, also what the run has said so far. */
  readonly messages: readonly Message[]
  readonly resume?: Resumption | Interruption
  readonly parent: Parent
  readonly signal: AbortSignal
  readonly limits: ChildLimits
  readonly rules?: RuleBook
  /** The only tools of the agent that the run is offered. By default all. */
  readonly only?: readonly string[]
  readonly identity?: RunIdentity
  /** Whether a person can answer what the run asks. */
  readonly canAsk: boolean
  readonly onAnswer: (answer: RunAnswer) => void
  readonly onEvent: (event: RunEvent) => void
}

/** An agent that another one may ask. AW-10 */
export interface Delegate {
  readonly id: string
  readonly description?: string
  /** Why it cannot be asked. It is left out, and the run warns of it. AW-16 */
  readonly missing?: string
  /** Begins a run of it. @throws {HostError} what is wrong with the agent */
  readonly begin: (order: ChildOrder) => Promise<{ readonly result: Promise<RunResult> }>
  /** Finds the runs of it that an earlier process began. Absent if they are not stored. */
  readonly left?: FindLeftChild
}

/** A call of a tool that asks an agent. */
export type AgentCall = Omit<ToolCall, 'name'> & {
  /** Which task of a call of several this is. */
  readonly task?: number
}
