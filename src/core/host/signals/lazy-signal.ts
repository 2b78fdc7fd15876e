/** A signal that is created when first needed, as most requests and opened configs never need it. */
export class LazySignal {
  #controller: AbortController | undefined

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    return this.#controller.signal
  }

  /** Aborts the signal if it was created. The reason is our own: the default one captures a stack trace. */
  abort(reason: string): void {
    this.#controller?.abort(reason)
  }
}
