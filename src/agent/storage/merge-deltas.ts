import type { RunEvent } from '@braidwork/plugin'

const KINDS = ['text', 'reasoning', 'tool-call'] as const

/** The types of the events that carry a message part in pieces. */
export const PART_TYPES: readonly string[] = KINDS.flatMap((kind) => [
  `${kind}-start`,
  `${kind}-delta`,
  `${kind}-end`,
])

type Delta = Extract<RunEvent, { readonly delta: string }>

interface Growing {
  readonly first: Delta
  /** The index in the merged list of events. */
  readonly at: number
  readonly pieces: string[]
}

/**
 * Merges the delta events of each message part into one, which keeps the sequence number and the time of the
 * first. The log stores an old run in this form. A reader gets the same content in fewer events.
 */
export function mergeDeltas(events: readonly RunEvent[]): RunEvent[] {
  const open = new Map<string, Growing>()
  const all: Growing[] = []
  const merged: RunEvent[] = []
  for (const event of events) {
    if (!isDelta(event)) {
      // A later part may use the same id again.
      if (event.type.endsWith('-start') && 'id' in event) open.delete(keyOf(event))
      merged.push(event)
      continue
    }
    const growing = open.get(keyOf(event))
    if (growing) growing.pieces.push(event.delta)
    else {
      const begun = { first: event, at: merged.length, pieces: [event.delta] }
      open.set(keyOf(event), begun)
      all.push(begun)
      merged.push(event)
    }
  }
  for (const { first, at, pieces } of all) merged[at] = { ...first, delta: pieces.join('') }
  return merged
}

function isDelta(event: RunEvent): event is Delta {
  return event.type.endsWith('-delta') && 'delta' in event
}

function keyOf(event: { readonly type: string; readonly id?: unknown }): string {
  return `${event.type.slice(0, event.type.lastIndexOf('-'))} ${String(event.id)}`
}
