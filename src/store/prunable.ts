import type { RunEvent } from '../events/index.ts'

const PART_EVENTS: ReadonlySet<string> = new Set(
  ['text', 'reasoning', 'tool-call'].flatMap((part) => [
    `${part}-start`,
    `${part}-delta`,
    `${part}-end`,
  ]),
)

/** Whether pruning takes an event out: it tells in pieces what the message of its step tells whole. */
export function isPrunable({ type }: RunEvent): boolean {
  return PART_EVENTS.has(type)
}

/** The types of events that pruning takes out. */
export const PRUNABLE_TYPES: readonly string[] = [...PART_EVENTS]
