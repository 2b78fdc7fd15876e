import { HostError } from '@braidwork/plugin'

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
  for (const signal of new Set(signals)) if (signal) unlinks.push(link(signal, controller))
  return () => {
    for (const unlink of unlinks) unlink()
  }
}

/** What follows each signal. One listener serves all: Node warns of a leak at the eleventh listener of a signal. */
const followers = new WeakMap<AbortSignal, Followers>()

function link(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) {
    abort()
    return () => undefined
  }
  const all = followers.get(signal) ?? new Followers(signal)
  followers.set(signal, all)
  all.add(abort)
  return () => all.remove(abort)
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
