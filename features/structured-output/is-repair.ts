import type { Message } from '@braidwork/plugin'
import { CODE } from './output-error.ts'

/**
 * Whether the answer that is due was asked for again because of one that was not valid. The messages say so:
 * since what the user asked, calls and their results aside, there is a final that wanted another step.
 */
export function isRepair(messages: readonly Message[]): boolean {
  for (let at = messages.length - 1; at >= 0; at--) {
    const before = messages[at - 1]
    if (messages[at]?.role === 'user') return before !== undefined && wantsRepair(before)
  }
  return false
}

function wantsRepair({ role, metadata }: Message): boolean {
  return role === 'assistant' && metadata?.retry?.code === CODE
}
