import { ownTurn } from '@braidwork/core/internal'
import type { RunEvent } from '@braidwork/plugin'
import { bytesOf, type Conversation, type StorageUsage, writtenJson } from '../storage/index.ts'
import type { Tables } from './tables.ts'

const NOTHING: StorageUsage = { bytes: 0, conversations: 0, files: 0 }

/** Returns the current usage of an owner. */
export function usageOf({ usage }: Tables, owner: string): StorageUsage {
  return usage.get(owner) ?? NOTHING
}

/** Adds a change to an owner's usage; deletions are negative. */
export function charge({ usage }: Tables, owner: string, change: Partial<StorageUsage>): void {
  const { bytes, conversations, files } = usage.get(owner) ?? NOTHING
  usage.set(owner, {
    bytes: bytes + (change.bytes ?? 0),
    conversations: conversations + (change.conversations ?? 0),
    files: files + (change.files ?? 0),
  })
}

export function jsonBytes(value: unknown): number {
  return bytesOf(JSON.stringify(value ?? null))
}

/** After measuring this many bytes, the code yields to the event loop. */
const AT_ONCE = 1 << 20

/** Measures each value with {@link jsonBytes}. Yields to the event loop after long ones. */
export async function jsonSizes(values: readonly unknown[]): Promise<readonly number[]> {
  const sizes: number[] = []
  let since = 0
  for (const value of values) {
    const { bytes } = await writtenJson(value)
    sizes.push(bytes)
    since += bytes
    if (since < AT_ONCE) continue
    await ownTurn()
    since = 0
  }
  return sizes
}

export function ownBytes({ title, metadata }: Conversation): number {
  return bytesOf(title) + jsonBytes(metadata)
}

/**
 * Estimates the size of an event's JSON. Most events are deltas and arrive by the thousand, so they are not
 * serialized just to be measured.
 */
export function eventBytes(event: RunEvent): number {
  return 'delta' in event && typeof event.delta === 'string'
    ? FRAME + event.delta.length
    : jsonBytes(event)
}

/** The approximate size of a delta event without its text, in bytes. */
const FRAME = 100

export function bytesOfEvents(events: readonly RunEvent[]): number {
  return events.reduce((bytes, event) => bytes + eventBytes(event), 0)
}
