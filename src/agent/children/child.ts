import type { Message, RunEvent, ToolCall } from '@braidwork/plugin'
import type { Resumption } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import type { RuleBook } from '../policy/index.ts'
import type { RunAnswer } from '../run-answer.ts'
import type { RunResult } from '../run-result.ts'
import type { RunPlace } from '../storage/index.ts'
import type { LanePlace, Lanes } from './lanes.ts'

/** What a child run has of the run that waits for it. */
export interface Parent {
  readonly place: RunPlace
  readonly lanes: Lanes
  readonly lanePlace: LanePlace
}

/** How many child runs a run has at once, and for how long. AL-20 */
export interface ChildLimits {
  /** The default is 5. */
  readonly at_once?: number
  /** The default is 300. Waiting for a place in a lane counts, waiting for a person does not. */
  readonly seconds?: number
}

/** How a child run begins, or goes on after an answer. */
export interface ChildOrder {
  readonly runId: string
  /** What the agent is asked; of a further leg, also what the run has said so far. */
  readonly messages: readonly Message[]
  readonly resume?: Resumption
  readonly parent: Parent
  readonly signal: AbortSignal
  readonly limits: ChildLimits
  readonly rules?: RuleBook
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
}

/** A call of a tool that asks an agent. */
export type AgentCall = Omit<ToolCall, 'name'>

/** The options of a run that concern its children. */
export interface ChildOptions {
  readonly delegates?: readonly Delegate[]
  /** Begins the subagents of the run. Absent if it may have none. */
  readonly subagent?: Delegate
  readonly childLimits?: ChildLimits
  readonly parent?: Parent
  readonly agent?: { readonly id: string }
  readonly rules?: RuleBook
  readonly canAsk?: boolean
  readonly resume?: { readonly kept?: { readonly children?: object } }
  readonly environment?: Environment
}
