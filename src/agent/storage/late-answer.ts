import type { LateAnswerEvent, RunEvent } from '@braidwork/plugin'

/** Whether a stored event is this late answer, because its write is repeated. */
export function isSameLate(stored: RunEvent, { callId, result }: LateAnswerEvent): boolean {
  if (stored.type !== 'tool-execution-late' || stored.callId !== callId) return false
  return JSON.stringify(stored.result) === JSON.stringify(result)
}
