import { checkPairs, type Message } from '@braidwork/plugin'
import type { Resolved } from '../resolve/index.ts'

/** Providers with this tag answer open calls and place stray results themselves. */
const REPAIRS = 'history-repair'

/**
 * Holds messages to pairs of calls and results, unless a plugin says that it repairs them.
 * @throws {HostError} MESSAGES_INVALID
 */
export function checkHistory(messages: readonly Message[], { tags }: Resolved): void {
  if (!tags.has(REPAIRS)) checkPairs(messages)
}
