import type { EndingEvent, PartialEvent, StartEvent } from './events.ts'
import type { FinishReason, Message, ToolResultPart } from './messages.ts'
import type { ModelChosenEvent, ModelFailedEvent } from './model-events.ts'
import type {
  FinalCallState,
  InventoryTool,
  ToolCallError,
  ToolHookRecord,
  ToolPolicyDecision,
  ToolSafety,
} from './tool-calls.ts'
import type { Usage } from './usage.ts'

/**
 * All tools at the start of a leg, offered or not, with the reasons. They do not change in the leg. A run of a config
 * without any tool has no event of this type. LR-01, LR-17
 */
export interface ToolInventoryEvent {
  readonly type: 'tool-inventory'
  readonly tools: readonly InventoryTool[]
}

/** Another process goes on with the run, because the one before ended before the run did. */
export interface RunResumedEvent {
  readonly type: 'run-resumed'
  /** How often that has happened in this leg, from 1. */
  readonly resumptions: number
  readonly reason: string
}

/** The start of a step. A step is one inference with its tool calls; steps count from 1. */
export interface StepStartEvent {
  readonly type: 'step-start'
  readonly step: number
  readonly requestId: string
}

export interface StepFinishEvent {
  readonly type: 'step-finish'
  readonly step: number
  readonly finishReason: FinishReason
  readonly usage: Usage
  /** The messages of the model's answer. */
  readonly messages: readonly Message[]
}

/**
 * A call that the host runs; one that is refused or cancelled before has only the end. Ends arrive as calls finish;
 * results are stored in the order of the calls. Earlier versions stored events without the optional members.
 */
export type ToolExecutionEvent =
  | {
      readonly type: 'tool-execution-start'
      readonly callId: string
      readonly name: string
      readonly input: unknown
      /** The plugin of the tool. Absent for a tool of the caller. */
      readonly plugin?: string
      readonly safety?: ToolSafety
      readonly policy?: ToolPolicyDecision
      /** What features did to the call before. `input` is as the model wrote it. */
      readonly hooks?: readonly ToolHookRecord[]
    }
  | {
      readonly type: 'tool-execution-progress'
      readonly callId: string
      readonly progress: unknown
    }
  | {
      readonly type: 'tool-execution-end'
      readonly callId: string
      readonly result: ToolResultPart
      readonly state?: FinalCallState
      /** Present if the call did not succeed. */
      readonly error?: ToolCallError
      /** What features did to the result, or instead of it. */
      readonly hooks?: readonly ToolHookRecord[]
    }

/**
 * What a tool answered after its call had ended as canceled. Of all events, only this one may follow the ending of a
 * run. LR-03
 */
export interface LateAnswerEvent {
  readonly type: 'tool-execution-late'
  readonly callId: string
  /** The answer, marked as interrupted. In a conversation, it replaces the result of the call. */
  readonly result: ToolResultPart
  /** How the tool's work ended. */
  readonly state: FinalCallState
  /** Present if the tool did not succeed. */
  readonly error?: ToolCallError
}

/** A call whose tool policy is `ask`: it waits for a person, and then the person's answer arrives. */
export type ApprovalEvent =
  | {
      readonly type: 'approval-required'
      readonly approvalId: string
      readonly callId: string
      readonly name: string
      /** The arguments as the call would run. */
      readonly input: unknown
      /** What features did to the call. */
      readonly hooks?: readonly ToolHookRecord[]
      /** ISO 8601. An answer after this time has no effect. */
      readonly expiresAt?: string
    }
  | {
      readonly type: 'approval-resolved'
      readonly approvalId: string
      readonly callId: string
      readonly approved: boolean
      readonly reason?: string
    }

/** The step starts again: readers discard everything that it has written so far. */
export interface StepResetEvent {
  readonly type: 'step-reset'
  readonly step: number
  readonly reason: string
}

export type RunEventBody =
  | StartEvent
  | PartialEvent
  | ToolInventoryEvent
  | RunResumedEvent
  | ModelChosenEvent
  | ModelFailedEvent
  | StepStartEvent
  | StepFinishEvent
  | ToolExecutionEvent
  | LateAnswerEvent
  | ApprovalEvent
  | StepResetEvent
  | EndingEvent

/** What a run adds to each of its events. */
export interface RunEventPlace {
  readonly runId: string
  /** Counts the events of a run from 0. */
  readonly seq: number
  /**
   * When the event happened, in milliseconds since 1970. Within a leg, no event is earlier than the one before it.
   * Absent only in events that a version without times stored.
   */
  readonly at?: number
}

export type RunEvent = RunEventBody & RunEventPlace
