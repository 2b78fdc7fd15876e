import type { Message } from '@braidwork/plugin'

/** Whether the user said a message, and not the host in the user's place. */
export function isSaid({ role, metadata }: Message): boolean {
  return role === 'user' && metadata?.['insertedBy'] !== 'host'
}
