import type { RunEvent } from '@braidwork/plugin'
import type { FactClass } from './classes.ts'

/** The ids of things that a fact is about, beside its run. */
export interface FactIds {
  readonly stepId?: string
  readonly toolCallId?: string
  readonly actionId?: string
  readonly artifactId?: string
  readonly evidenceId?: string
  readonly modelRequestId?: string
  readonly outputRef?: string
}

/** What an event states, before it has its place. */
export interface FactDraft extends FactIds {
  readonly type: FactClass
  readonly payload: object
}

/** An event of agentruntime, in the Lime profile. LR-14 */
export interface Fact extends FactDraft {
  /** The same in every export of the run. */
  readonly eventId: string
  /** ISO 8601. */
  readonly timestamp: string
  readonly schemaVersion: 'lime-profile-0.4.0'
  readonly runtimeId: 'braidwork'
  /** The conversation, or the run if it has none. */
  readonly sessionId: string
  readonly threadId: string
  /** The run. */
  readonly turnId: string
  readonly runId: string
  /** Grows within the session, with gaps. */
  readonly sequence: number
}

/** What the earlier events of a run told, as far as later ones need it. */
export interface Told {
  readonly runId: string
  /** The present step, or 0 before the first. */
  readonly step: number
  /** The approvals that nobody has answered yet. */
  readonly open: ReadonlySet<string>
  /** Whether no run of the session began before. */
  readonly isFirstRun: boolean
}

export type EventOf<T extends RunEvent['type']> = RunEvent & { readonly type: T }

/** What the events of one type become. */
export interface FactSource<T extends RunEvent['type']> {
  /** All classes of facts that such an event may become. */
  readonly classes: readonly FactClass[]
  readonly facts: (event: EventOf<T>, told: Told) => readonly FactDraft[]
}

export type FactSources<T extends RunEvent['type']> = { readonly [K in T]: FactSource<K> }

/** An event that becomes no fact. */
export const NOTHING = { classes: [], facts: () => [] } as const

/** Where a call stands. Its facts need a step, also in a leg that begins with the calls of an earlier one. */
export function callIds({ runId, step }: Told, toolCallId: string) {
  return { stepId: stepIdOf(runId, step), toolCallId }
}

export function stepIdOf(runId: string, step: number): string {
  return `${runId}/step-${step}`
}
