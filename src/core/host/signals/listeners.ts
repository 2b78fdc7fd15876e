import { setMaxListeners } from 'node:events'

/** What Node knows its own classes of event targets by. */
const NODE_TARGET = Symbol.for('nodejs.event_target')

/**
 * Whether Node counts the listeners of a signal, and warns of a leak at the eleventh. It counts and limits only those
 * of its own signals, and throws for others, such as those of a test environment with a DOM.
 */
export function isCounted(signal: AbortSignal): boolean {
  return NODE_TARGET in Object(signal.constructor)
}

/** Lets a signal have any number of listeners without a warning. */
export function allowListeners(signal: AbortSignal): void {
  if (isCounted(signal)) setMaxListeners(0, signal)
}
