import { type CallOutcome, type OfferedTool, resultOf } from '@braidwork/core/internal'
import type {
  FinalCallState,
  RunEventBody,
  ToolCallPart,
  ToolHookRecord,
  ToolQuestion,
  ToolResultPart,
} from '@braidwork/plugin'

/** The states of a tool call. LT-03 */
export type ToolCallState =
  | ('planned' | 'arguments_ready' | 'awaiting_approval' | 'approved' | 'queued' | 'running')
  | FinalCallState

/** The strictest verdict of a call's gates; among equals the first. */
export interface GateVerdict {
  readonly plugin: string
  readonly verdict: 'block' | 'suspend' | 'result'
  readonly reason: string
  /** Only of `result`. */
  readonly result?: unknown
}

/**
 * One call of a tool, from the words of the model to its result. Each state is a value of its own, which never changes;
 * events, results for the model and approvals are made from it.
 */
export interface ToolCall {
  /** The call as the model wrote it. It never changes. LT-02 */
  readonly part: ToolCallPart
  readonly state: ToolCallState
  /** Known from the phase that resolves the tool on. */
  readonly tool?: OfferedTool
  /** What features did to the call. */
  readonly hooks?: readonly ToolHookRecord[]
  /** The strictest verdict of the gates, until the permission is decided. */
  readonly gate?: GateVerdict
  /** What a person is asked before the call, which has begun, goes on. */
  readonly asked?: ToolQuestion
  /** The person's answer to that. It has no value if the person declined. */
  readonly answer?: { readonly value?: unknown }
  /** How the call ended. Present in the final states. */
  readonly outcome?: CallOutcome
}

/** The states in which a call ends that runs. */
const ENDS: readonly FinalCallState[] = [
  'succeeded',
  'failed',
  'timed_out',
  'blocked',
  'validation_failed',
  'canceled',
]

/** The states that may follow each state. Every transition goes through this table. LT-03 */
const NEXT: { readonly [state in ToolCallState]: readonly ToolCallState[] } = {
  planned: ['arguments_ready', 'validation_failed', 'blocked', 'failed', 'canceled'],
  arguments_ready: ['awaiting_approval', 'approved', 'denied', 'blocked', 'succeeded', 'canceled'],
  awaiting_approval: ['approved', 'succeeded', 'denied', 'blocked', 'canceled'],
  approved: ['queued', 'blocked', 'canceled'],
  queued: ['running', 'failed', 'canceled'],
  running: [...ENDS, 'awaiting_approval'],
  validation_failed: [],
  denied: [],
  succeeded: [],
  failed: [],
  canceled: [],
  timed_out: [],
  blocked: [],
}

/** A call as the model wrote it, before any phase. */
export function plannedCall(part: ToolCallPart): ToolCall {
  return { part, state: 'planned' }
}

/**
 * The call in its next state.
 * @throws {TypeError} if the state cannot follow, which is a fault of this package
 */
export function moved(
  call: ToolCall,
  state: ToolCallState,
  facts: Pick<ToolCall, 'tool' | 'outcome' | 'hooks' | 'asked'> = {},
): ToolCall {
  if (!NEXT[call.state].includes(state)) {
    throw new TypeError(
      `A tool call that is ${call.state} cannot become ${state} (call ${call.part.callId}).`,
    )
  }
  return { ...call, ...facts, state }
}

/** The call with its outcome, in the final state that the outcome names. */
export function ended(
  call: ToolCall,
  outcome: CallOutcome,
  facts: Pick<ToolCall, 'hooks'> = {},
): ToolCall {
  return moved(call, outcome.state, { ...facts, outcome })
}

/** The arguments with which a call runs: those that the model wrote, unless a feature changed them. */
export function inputOf({ part, hooks = [] }: ToolCall): unknown {
  const edit = hooks.findLast((record) => 'input' in record)
  return edit ? edit.input : part.input
}

export function isFinal({ state }: ToolCall): boolean {
  return NEXT[state].length === 0
}

/** Whether a call waits for a person. */
export function isWaiting({ state }: ToolCall): boolean {
  return state === 'awaiting_approval'
}

/** Whether a call may change something outside of the run. A tool that does not say otherwise may. LR-03 */
export function hasEffects({ tool }: ToolCall): boolean {
  return tool?.schema.safety?.is_read_only !== true
}

/** The event that a call runs now. Its record is this event. LT-10 */
export function startEvent({ part, tool, hooks }: ToolCall): RunEventBody {
  const { callId, name, input } = part
  const { safety } = tool?.schema ?? {}
  return {
    type: 'tool-execution-start',
    callId,
    name,
    input,
    ...(tool?.plugin ? { plugin: tool.plugin.name } : {}),
    ...(safety ? { safety } : {}),
    ...(tool ? { policy: tool.policy } : {}),
    ...(hooks ? { hooks } : {}),
  }
}

/** The event of a call that has ended. @param before what the call's start has told @throws {TypeError} if it has not ended */
export function endEvent(call: ToolCall, before?: ToolCall): ToolEnd {
  const hooks = call.hooks?.slice(before?.hooks?.length ?? 0) ?? []
  const event = endEventOf(call.part, outcomeOf(call))
  return hooks.length > 0 ? { ...event, hooks } : event
}

type ToolEnd = Extract<RunEventBody, { readonly type: 'tool-execution-end' }>

/** The event that a call has ended with an outcome. */
export function endEventOf(part: ToolCallPart, outcome: CallOutcome): ToolEnd {
  const { state, error } = outcome
  return {
    type: 'tool-execution-end',
    callId: part.callId,
    result: resultOf(part, outcome),
    state,
    ...(error ? { error } : {}),
  }
}

/** What the model is told of a call that has ended. @throws {TypeError} if it has not */
export function resultPart(call: ToolCall): ToolResultPart {
  return resultOf(call.part, outcomeOf(call))
}

function outcomeOf({ part, state, outcome }: ToolCall): CallOutcome {
  if (outcome) return outcome
  throw new TypeError(`The tool call ${part.callId} is ${state} and has no outcome yet.`)
}
