/** The phases of a run in which features have hooks, in order. AW-60 */
export const RUN_PHASES = [
  'run_start',
  'step_start',
  'before_inference',
  'after_inference',
  'tool_gate',
  'before_tool_execute',
  'after_tool_execute',
  'step_end',
  'run_end',
] as const

export type RunPhase = (typeof RUN_PHASES)[number]

/** Why a run ended, beside the status with which it ended. AW-67 */
export type Termination =
  /**
   * `natural_end`: the answer asks for nothing more. `no_action`: the answer is empty. `suspended`: the run waits for a
   * person or for the client.
   */
  | { readonly reason: 'natural_end' | 'no_action' | 'suspended' | 'cancelled' | 'error' }
  /** A feature ended the run. `detail` is its reason. */
  | {
      readonly reason: 'behavior_requested' | 'blocked'
      readonly plugin: string
      readonly detail: string
    }
  /** A limit or another stop condition ended the run. `code` is its type. AW-66 */
  | { readonly reason: 'stopped'; readonly code: string; readonly detail: string }
