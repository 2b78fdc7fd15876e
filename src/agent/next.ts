import type { Result } from '@braidwork/core'
import type { Termination, ToolCallPart } from '@braidwork/plugin'
import type { LeftCalls } from './interruption.ts'
import type { Leg } from './leg.ts'
import type { RunEnding } from './run-result.ts'

/** A step that follows. */
export interface NextStep {
  readonly next: 'step'
  readonly requestId?: string
  /** Whether its answer was cut off before, so that the step has begun. */
  readonly isAgain?: boolean
}

/** How a run continues: with a step, or with its ending. */
export type Next = NextStep | { readonly next: 'end'; readonly ending: RunEnding }

/** A step after its response has arrived. */
export interface Answered {
  readonly leg: Leg
  readonly requestId: string
  readonly result: Pick<Result, 'messages' | 'finishReason'>
  /** How far its calls had come, if the run was interrupted after the response. */
  readonly left?: LeftCalls
}

/** An answer with calls, and those of them that the host runs. */
export interface Called extends Answered {
  readonly calls: readonly ToolCallPart[]
  readonly own: readonly ToolCallPart[]
}

/** How a step ends: `ended` says why the run does, if it does. */
export interface StepEnd {
  readonly finishReason: Result['finishReason']
  readonly ended: Termination | undefined
}

/** The run ends. */
export function over(finishReason: Result['finishReason'], termination: Termination): Next {
  return { next: 'end', ending: { status: 'done', finishReason, termination } }
}
