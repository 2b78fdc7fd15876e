import { ownTurn } from '@braidwork/core/internal'
import type { RunEvent } from '@braidwork/plugin'
import { bytesOf, type Conversation, type StorageUsage, writtenJson } from '../storage/index.ts'
import type { Tables } from './tables.ts'

const NOTHING: StorageUsage = { bytes: 0, conversations: 0, files: 0 }

/** What an owner has stored. */
export function usageOf({ usage }: Tables, owner: string): StorageUsage {
  return usage.get(owner) ?? NOTHING
}

/** Counts what was stored or deleted. */
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

/** Bytes that are counted in one turn of the event loop. */
const AT_ONCE = 1 << 20

/** {@link jsonBytes} of each value, with turns for all else where they are long. */
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

/** About as many as its JSON has: most events are deltas, and come by the thousand. */
export function eventBytes(event: RunEvent): number {
  return 'delta' in event && typeof event.delta === 'string'
    ? FRAME + event.delta.length
    : jsonBytes(event)
}

/** What a delta's event is beside its text. */
const FRAME = 100

export function bytesOfEvents(events: readonly RunEvent[]): number {
  return events.reduce((bytes, event) => bytes + eventBytes(event), 0)
}
