import { linkSignals } from './link-signals.ts'

/**
 * Cancels what is in progress when a host closes. A set, because an event target looks through all of its listeners to
 * remove one, and a server may have a thousand requests.
 */
export class Closing {
  readonly #controller = new AbortController()
  readonly #linked = new Set<() => void>()

  /** Aborts when the host closes. A single request should use {@link link}. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /**
   * Aborts a controller when the host closes, or as soon as one of the signals aborts.
   * @returns a function that removes the links
   * @throws {HostError} as {@link linkSignals}
   */
  link(controller: AbortController, ...signals: readonly (AbortSignal | undefined)[]): () => void {
    const unlink = linkSignals(signals, controller)
    const abort = () => controller.abort(this.signal.reason)
    if (this.signal.aborted) abort()
    else this.#linked.add(abort)
    return () => {
      unlink()
      this.#linked.delete(abort)
    }
  }

  close(reason: string): void {
    this.#controller.abort(reason)
    for (const abort of this.#linked) abort()
    this.#linked.clear()
  }
}
