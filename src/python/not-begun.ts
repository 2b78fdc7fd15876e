import type { Turn } from './main-thread.ts'
import type { Message } from './pythonia.ts'

/** Whether the other side may keep something. */
export interface Keeping {
  isUsed: boolean
}

/** The interpreter ended before a request's turn came: nothing of it has run. */
export class NotBegun extends Error {}

/** Whether a request's turn had not come when the interpreter ended, and may come in the next one. */
export function hasNotBegun(
  message: Message,
  { keeping, turn }: { readonly keeping?: Keeping; readonly turn?: Turn },
): boolean {
  const isOpen = 'dead' in message && turn?.since === 0 && keeping?.isUsed === false
  if (keeping && !isOpen) keeping.isUsed = true
  return isOpen
}
