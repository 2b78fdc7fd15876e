import { abortError } from '@braidwork/core/internal'
import type { HostError, RunEventBody } from '@braidwork/plugin'
import { toHostError } from '@braidwork/plugin/internal'
import type { RunEnding } from './run-record.ts'

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

/** The event of a run that ended without success. */
export function failureEvent({
  status,
  error,
}: RunEnding & { readonly error: HostError }): RunEventBody {
  return status === 'aborted'
    ? { type: 'abort', reason: error.message }
    : { type: 'error', error: error.toJSON() }
}
