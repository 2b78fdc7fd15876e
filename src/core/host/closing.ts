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

  /** Aborts a controller when the host closes. @returns a function that removes the link */
  link(controller: AbortController): () => void {
    const { signal } = this
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else this.#linked.add(abort)
    return () => this.#linked.delete(abort)
  }

  close(reason: string): void {
    this.#controller.abort(reason)
    for (const abort of this.#linked) abort()
    this.#linked.clear()
  }
}
