import type { RunEvent } from '@braidwork/plugin'

/** About what an event is beside its delta. */
const FRAME = 200

/** About how many characters an event is. */
export function sizeOf(event: RunEvent): number {
  return FRAME + ('delta' in event && typeof event.delta === 'string' ? event.delta.length : 0)
}
