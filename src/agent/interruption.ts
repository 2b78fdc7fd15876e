import type {
  FinishReason,
  InventoryTool,
  KeptState,
  Message,
  ToolResultPart,
  ToolSafety,
  Usage,
} from '@braidwork/plugin'
import type { Resumption } from './approvals.ts'
import type { LegCompaction } from './compaction/index.ts'

/** How far the open calls of a run had come when its process ended. */
export interface LeftCalls {
  /** The calls that began, by call id, with the safety of their tools. */
  readonly begun: ReadonlyMap<string, ToolSafety>
  /** The results of the calls that ended, by call id. */
  readonly results: ReadonlyMap<string, ToolResultPart>
  /** The approvals whose answers the leg has told. */
  readonly resolved: ReadonlySet<string>
  /** All tools, as the leg told them at its start. */
  readonly tools: readonly InventoryTool[]
}

/** Where a run was interrupted: what it does next. */
export type InterruptedAt =
  /** Before its first request. */
  | { readonly at: 'start' }
  /** While the calls ran that a person had answered. */
  | { readonly at: 'approvals'; readonly resumption: Resumption }
  /** While an answer arrived: the step starts again. */
  | { readonly at: 'answer' }
  /** After an answer had arrived, with or without calls. */
  | {
      readonly at: 'calls'
      readonly messages: readonly Message[]
      readonly finishReason: FinishReason
      readonly usage: Usage
    }

/** The number of a step, and how many messages of the leg come before it. */
export interface StepPlace {
  readonly step: number
  readonly at: number
}

/** A run whose process ended before the run did, as far as its stored events tell. Pass it as `resume` to go on. */
export interface Interruption {
  readonly runId: string
  /** The sequence number that the run's next event will have. */
  readonly seq: number
  /** The time of the run's last event, in milliseconds since 1970; 0 if there is none. */
  readonly at: number
  readonly steps: number
  /** The usage of the leg's complete answers, and of requests whose output was discarded. */
  readonly usage: Usage
  /** The messages of the leg, without those of an answer that was cut off and without the results in `calls`. */
  readonly messages: readonly Message[]
  /** Where the steps of the leg begin in `messages`. */
  readonly starts?: readonly StepPlace[]
  /** What the leg compacted of its own steps. */
  readonly compactions?: readonly LegCompaction[]
  /** The usage of the last answer, if nothing was compacted since. */
  readonly counted?: Usage
  /** Whether the leg has told its start. */
  readonly hasBegun: boolean
  /** How often the leg has been resumed so far. */
  readonly resumptions: number
  readonly interrupted: InterruptedAt
  readonly calls: LeftCalls
  /** The state of the run where it goes on. The phases after it run again, so what they add counts once. */
  readonly kept?: KeptState
  /** The usage that `kept` does not count yet. */
  readonly uncounted: Usage
}

/** Whether a run goes on after an interruption, and not after a wait for approvals. */
export function isInterruption(resume: Resumption | Interruption): resume is Interruption {
  return 'interrupted' in resume
}
