import type { Message } from '@braidwork/plugin'
import { CODE } from './output-error.ts'

/**
 * Whether the current step repeats an invalid answer. This is visible in the messages: after the last user message
 * there is a final that asked for a retry (calls and their results are ignored).
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
