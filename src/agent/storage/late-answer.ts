import type { LateEvent, RunEvent } from '@braidwork/plugin'

/** Whether a stored event is this late one, because its write is repeated. */
export function isSameLate(stored: RunEvent, event: LateEvent): boolean {
  if (event.type !== 'tool-execution-late') {
    return stored.type === event.type && stored.compactionId === event.compactionId
  }
  const { callId, result } = event
  if (stored.type !== 'tool-execution-late' || stored.callId !== callId) return false
  return JSON.stringify(stored.result) === JSON.stringify(result)
}
