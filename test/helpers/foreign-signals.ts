/** Signals of another library, such as those that replace Node's in a test environment with a DOM. */

class ForeignTarget {
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: string, listener: () => void): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_type: string, listener: () => void): void {
    this.#listeners.delete(listener)
  }
  tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

class ForeignSignal extends ForeignTarget {
  aborted = false
  reason: unknown

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

class ForeignController {
  readonly signal = new ForeignSignal()

  abort(reason: unknown): void {
    if (this.signal.aborted) return
    Object.assign(this.signal, { aborted: true, reason })
    this.signal.tell()
  }
}

/** Replaces Node's classes by foreign ones until it is disposed of. */
export function foreignSignals(): Disposable {
  const { AbortController, EventTarget } = globalThis
  Object.assign(globalThis, { AbortController: ForeignController, EventTarget: ForeignTarget })
  return {
    [Symbol.dispose]: () => void Object.assign(globalThis, { AbortController, EventTarget }),
  }
}
