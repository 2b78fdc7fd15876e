/** The states of a tool call. LT-03 */
export const TOOL_CALL_STATES = [
  'planned',
  'arguments_ready',
  'validation_failed',
  'awaiting_approval',
  'approved',
  'denied',
  'queued',
  'running',
  'succeeded',
  'failed',
  'canceled',
  'timed_out',
  'blocked',
] as const
export type ToolCallState = (typeof TOOL_CALL_STATES)[number]

/** The states in which a call has its result and does not change any more. */
export const FINAL_CALL_STATES = [
  'validation_failed',
  'denied',
  'succeeded',
  'failed',
  'canceled',
  'timed_out',
  'blocked',
] as const satisfies readonly ToolCallState[]
export type FinalCallState = (typeof FINAL_CALL_STATES)[number]

/** Why a call did not succeed. LT-05; `outcome_unknown` is LT-10's: the call began, and its end was not seen. */
export const TOOL_ERROR_CLASSES = [
  'unknown_tool',
  'invalid_arguments',
  'permission_denied',
  'approval_rejected',
  'policy_blocked',
  'hook_blocked',
  'timeout',
  'rate_limited',
  'dependency_unavailable',
  'execution_failed',
  'result_too_large',
  'sibling_canceled',
  'canceled',
  'outcome_unknown',
] as const
export type ToolErrorClass = (typeof TOOL_ERROR_CLASSES)[number]

/** The error of a call that did not succeed. */
export interface ToolCallError {
  readonly class: ToolErrorClass
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  /** Seconds to wait before the next try, if the tool states them. */
  readonly retryAfter?: number
  /** What the model or a person can do about it. */
  readonly advice?: string
}

/** Why a call may run, must wait for a person, or may not run. LT-07 */
export interface ToolPolicyDecision {
  readonly decision: 'allow' | 'ask' | 'deny'
  /** The JSON pointer of the config entry that decided, or `default`. */
  readonly source: string
  readonly reason: string
}
