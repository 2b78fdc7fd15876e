import type { CompactionEvent } from './compaction-events.ts'
import type { ContextResolvedEvent } from './context.ts'
import type { EndingEvent, PartialEvent, StartEvent } from './events.ts'
import type { JsonObject } from './json.ts'
import type { FinishReason, Message, ToolResultPart } from './messages.ts'
import type { ModelChosenEvent, ModelFailedEvent } from './model-events.ts'
import type { RunPhase } from './run-phases.ts'
import type {
  FinalCallState,
  InventoryTool,
  ToolCallError,
  ToolHookRecord,
  ToolPolicyDecision,
  ToolSafety,
} from './tool-calls.ts'
import type { Usage } from './usage.ts'

/** All tools at the start of a leg, offered or not, with the reasons: they stay. Absent if there are none. LR-01, LR-17 */
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
      /** The progress is that of a child run of the call, or of a run below it. */
      readonly isChild?: true
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
      /** What the child run of the call used in this leg, or the requests of its tool. AL-22 */
      readonly usage?: Usage
    }

/**
 * What a tool answered after its call had ended as canceled. It may follow the ending of its run. LR-03
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

/** The events that may follow the ending of a run. */
export type LateEvent = LateAnswerEvent | CompactionEvent

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
      /** The call waits for an answer instead of a permission: its tool is marked `asks_user`. */
      readonly isQuestion?: boolean
      /** As in `tool-execution-end`, for a call that asks in the middle. */
      readonly usage?: Usage
    }
  | {
      readonly type: 'approval-resolved'
      readonly approvalId: string
      readonly callId: string
      readonly approved: boolean
      readonly reason?: string
      readonly isQuestion?: boolean
    }

/** What a run has used and reached so far. Its stop conditions are judged by it. */
export interface RunProgress {
  /** The seconds in which the run worked; waiting for a person does not count. */
  readonly seconds: number
  /** The tokens of all requests, input and output together. */
  readonly tokens: number
  /** The cost in US dollars, as far as prices are known. */
  readonly dollars: number
  /** How many calls in a row have failed. */
  readonly failedCalls: number
  /** How many answers in a row were equal, and not empty. */
  readonly equalAnswers: number
  /** A hash of the last answer. Empty if it had no content. */
  readonly lastAnswer: string
}

/** What a run takes along into its next leg. */
export interface KeptState {
  readonly progress: RunProgress
  /** The values of the state keys that features declare. */
  readonly values: JsonObject
  /** The child runs that wait for a person, by the calls that wait for them. AL-23 */
  readonly children?: object
  /** What binds each approval to its call, by approval id. Told by a child run that waits: its root asks for it. AL-23 */
  readonly bindings?: { readonly [approvalId: string]: string }
}

/** The state of a run has changed. The last of these events has all that a further leg needs. */
export interface RunStateEvent extends KeptState {
  readonly type: 'run-state'
  readonly step: number
  /** The features that changed values, in a phase. Absent at the end of a step. */
  readonly commit?: { readonly phase: RunPhase; readonly plugins: readonly string[] }
}

/** A scheduled action or an effect of a feature that failed. The run goes on. AW-62 */
export interface HookFaultEvent {
  readonly type: 'hook-fault'
  readonly phase: RunPhase
  readonly plugin: string
  /** The key of the action or of the effect, or `onDeactivate`. */
  readonly key: string
  readonly message: string
}

/** A message of the user that entered the run while it was active. CT-15 */
export interface SteeringEvent {
  readonly type: 'steering'
  readonly message: Message
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
  | ContextResolvedEvent
  | StepFinishEvent
  | ToolExecutionEvent
  | LateAnswerEvent
  | CompactionEvent
  | ApprovalEvent
  | StepResetEvent
  | SteeringEvent
  | RunStateEvent
  | HookFaultEvent
  | EndingEvent

/** What a run adds to each of its events. */
export interface RunEventPlace {
  readonly runId: string
  /** Counts the events of a run from 0. */
  readonly seq: number
  /** Milliseconds since 1970, in a leg never earlier than the event before. Absent in events of earlier versions. */
  readonly at?: number
}

export type RunEvent = RunEventBody & RunEventPlace
