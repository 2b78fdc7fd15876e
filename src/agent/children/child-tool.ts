import type { CallOutcome } from '@braidwork/core/internal'
import type { AgentCall, Delegate } from './child.ts'
import type { DelegateTool } from './delegate-tool.ts'

/** A tool of a run whose calls ask any number of agents. */
export interface ChildTool {
  readonly tool: DelegateTool
  readonly run: (call: AgentCall, asking: Asking) => Promise<CallOutcome>
}

/** A part of a call: the question to one of the agents that the call asks. */
export interface PartCall extends AgentCall {
  /** Names the part within its call. */
  readonly part: string
}

/** How a call asks agents. */
export interface Asking {
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal
  /**
   * Asks an agent. A part that waits for a person goes on with the answer of its call, and otherwise still waits.
   * @throws {HostError} what is wrong with the storage
   */
  readonly ask: (delegate: Delegate, call: PartCall) => Promise<CallOutcome>
  /** Whether the part of a call waits for a person. AL-23 */
  readonly isWaiting: (callId: string, part: string) => boolean
  /** Takes what a part of a call ended with before the call waited for a person. */
  readonly takeEnded: (callId: string, part: string) => CallOutcome | undefined
  /** Keeps what a part of a call ended with, as the call waits for a person. */
  readonly keepEnded: (callId: string, part: string, outcome: CallOutcome) => void
}
