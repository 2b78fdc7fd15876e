import type { HookTurn } from './main-thread.ts'
import type { Message } from './pythonia.ts'

/** Whether the Python side keeps data for the request, such as values in `context.local`. */
export interface Keeping {
  keeps: boolean
}

/** The interpreter ended before the request began, so nothing of it has run. */
export class NotBegun extends Error {}

/** Whether a request had not begun when the interpreter ended, so that the next one can run it. */
export function hasNotBegun(
  message: Message,
  { keeping, turn }: { readonly keeping?: Keeping; readonly turn?: HookTurn },
): boolean {
  const isWaiting = turn?.since === 0 && !turn.hasRun
  return 'dead' in message && isWaiting && keeping?.keeps === false
}
