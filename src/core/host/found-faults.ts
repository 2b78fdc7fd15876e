import type { Resolved } from '../resolve/index.ts'
import type { Opening } from './open-options.ts'

/** Tells a caller what resolution found wrong. An opened config tells it, because a run opens its config only once. */
export function tellFaults({ diagnostics }: Resolved, { listener }: Opening): void {
  if (!listener?.warn) return
  for (const { level, message } of diagnostics) if (level !== 'info') listener.warn(message)
}
