import type { Result } from '@braidwork/core'
import { abortError, retryOf } from '@braidwork/core/internal'
import type { FinishReason, Message, RunEventBody, Termination } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { RunEnding, RunResult } from './run-result.ts'

/** The run waits for a person. */
export const SUSPENDED: Termination = { reason: 'suspended' }

/** How a run ends that threw. A cancelled run ends as aborted, even if another error occurred. */
export function endingAfter(thrown: unknown, signal: AbortSignal): RunEnding {
  if (signal.aborted) return abortedEnding(signal)
  const error = toHostError(thrown)
  if (error.code === 'ABORTED') return { status: 'aborted', finishReason: 'other', error }
  return { status: 'failed', finishReason: 'error', error }
}

/** How a cancelled run ends. */
export function abortedEnding(signal: AbortSignal): RunEnding {
  return { status: 'aborted', finishReason: 'other', error: abortError(signal) }
}

/** The event with which a run ends. */
export function endingEvent(ending: RunEnding, { messages, usage }: RunResult): RunEventBody {
  const { status, finishReason, error } = ending
  if (status === 'aborted') return { type: 'abort', reason: error.message }
  if (status === 'failed') return { type: 'error', error: error.toJSON() }
  return { type: 'finish', finishReason, usage, messages, termination: terminationOf(ending) }
}

/** Why a run ended. AW-67 */
export function terminationOf({
  status,
  termination,
}: Pick<RunEnding, 'status' | 'termination'>): Termination {
  if (termination) return termination
  if (status === 'done') return { reason: 'natural_end' }
  return { reason: status === 'aborted' ? 'cancelled' : 'error' }
}

/** The finish reason of a run that ends with calls. That an answer was cut is told, since its calls may be cut too. */
export function reasonWithCalls({ finishReason }: Pick<Result, 'finishReason'>): FinishReason {
  return finishReason === 'length' || finishReason === 'content-filter'
    ? finishReason
    : 'tool-calls'
}

/** Whether the run ends because it has reached its highest number of steps. The calls of that step still run. */
export function isStepLimit(termination: Termination | undefined): boolean {
  return termination?.reason === 'stopped' && termination.code === 'max_rounds'
}

/** Whether an answer has no content. CT-12 */
export function isEmpty(answer: readonly Message[]): boolean {
  return answer.every(({ parts }) =>
    parts.every((part) => part.type === 'text' && part.text === ''),
  )
}

/** How a run ends after an answer without calls, if nothing else ends it. */
export function naturalEnd(answer: readonly Message[]): Termination {
  return { reason: isEmpty(answer) ? 'no_action' : 'natural_end' }
}

/** The number of times in a row that a provider may pause an answer. */
const MOST_PAUSES = 8

/**
 * Whether an answer without calls asks for another step: for a correction, or because the provider paused it and continues
 * it in another answer.
 * @param messages the messages of the run, with the answer at the end
 */
export function asksOn(answer: readonly Message[], messages: readonly Message[]): boolean {
  const paused = messages.length - 1 - messages.findLastIndex((one) => !isPaused(one))
  return retryOf(answer) !== undefined || (paused > 0 && paused <= MOST_PAUSES)
}

function isPaused({ role, metadata }: Message): boolean {
  return role === 'assistant' && metadata?.['paused'] === true
}

/** The text of why a run stopped before its calls ran. */
export function stopText(termination: Termination): string {
  const detail = 'detail' in termination ? ` ${termination.detail}` : ''
  return `The run was stopped before the call ran.${detail}`
}
