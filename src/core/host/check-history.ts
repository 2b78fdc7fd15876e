import { checkPairs, type Message } from '@braidwork/plugin'
import type { Resolved } from '../resolve/index.ts'

/** A provider with this tag completes open calls and misplaced results itself. */
const REPAIRS = 'history-repair'

/**
 * Checks that tool calls and results come in pairs, unless a plugin has the tag that says it repairs histories.
 * @throws {HostError} MESSAGES_INVALID
 */
export function checkHistory(messages: readonly Message[], { tags }: Resolved): void {
  if (!tags.has(REPAIRS)) checkPairs(messages)
}
