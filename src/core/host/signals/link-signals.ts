import { getEventListeners } from 'node:events'
import { HostError } from '@braidwork/plugin'
import { isCounted } from './listeners.ts'

/**
 * Aborts a controller as soon as one of the signals aborts.
 * @returns a function that removes the listeners
 * @throws {HostError} OPTION_INVALID if one of them is not an AbortSignal, for example when a caller passes the
 * controller instead
 */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const unlinks: (() => void)[] = []
  for (const signal of signals) {
    if (signal && typeof signal.addEventListener !== 'function') {
      const message = '"signal" must be an AbortSignal, such as the signal of an AbortController.'
      throw new HostError('OPTION_INVALID', message, { pointer: '/signal' })
    }
  }
  for (const [at, signal] of signals.entries()) {
    if (signal && signals.indexOf(signal) === at) unlinks.push(link(signal, controller))
  }
  return () => {
    for (const unlink of unlinks) unlink()
  }
}

/** Node warns of a leak at the eleventh listener of a signal, so those behind this number share one. */
const MOST_OWN = 9
/** What shares the listener of a signal. Most signals have few listeners, and no entry, which would cost more. */
const shared = new WeakMap<AbortSignal, Followers>()

function link(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) {
    abort()
    return () => undefined
  }
  if (!isCrowded(signal)) {
    signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  }
  const all = shared.get(signal) ?? new Followers(signal)
  shared.set(signal, all)
  all.add(abort)
  return () => all.remove(abort)
}

function isCrowded(signal: AbortSignal): boolean {
  return isCounted(signal) && getEventListeners(signal, 'abort').length >= MOST_OWN
}

/** What is called when a signal aborts. It listens while there is something. */
class Followers {
  readonly #signal: AbortSignal
  readonly #all = new Set<() => void>()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  add(abort: () => void): void {
    if (this.#all.size === 0) this.#signal.addEventListener('abort', this.#abort, { once: true })
    this.#all.add(abort)
  }

  remove(abort: () => void): void {
    if (this.#all.delete(abort) && this.#all.size === 0) {
      this.#signal.removeEventListener('abort', this.#abort)
    }
  }

  readonly #abort = () => {
    for (const abort of this.#all) abort()
  }
}
