import { HostError } from '@braidwork/plugin'
import { isError } from '../../node-errors.ts'
import { type CallOutcome, failureOf, outcomeOf } from './call-outcome.ts'
import type { ToolMasks } from './tool-masks.ts'

/** Receives what a tool answers to a call that was cancelled while it ran. LR-03 */
export interface LateAnswers {
  /** Aborts when nobody waits for the answer any more. */
  readonly until: AbortSignal
  readonly take: (outcome: CallOutcome) => void
}

interface Cancelled extends ToolMasks {
  /** The signal that cancelled the call. */
  readonly signal: AbortSignal
}

/** Waits for the answer to a cancelled call. An error that only says that the call was cancelled is none. */
export async function takeLate(
  answer: Promise<unknown>,
  { until, take }: LateAnswers,
  { signal, mask, maskValue }: Cancelled,
): Promise<void> {
  try {
    const outcome = maskValue(outcomeOf(await answer))
    if (!until.aborted) take(outcome)
  } catch (error) {
    if (!until.aborted && !saysCancelled(error, signal)) take(failureOf(error, mask))
  }
}

function saysCancelled(error: unknown, signal: AbortSignal): boolean {
  if (error === signal.reason) return true
  if (!isError(error)) return false
  if (error.name === 'AbortError' || (HostError.is(error) && error.code === 'ABORTED')) return true
  return error.cause !== undefined && error.cause !== error && saysCancelled(error.cause, signal)
}
