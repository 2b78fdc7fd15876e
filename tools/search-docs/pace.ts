import { setImmediate } from 'node:timers/promises'

/** How long work may run before the event loop has a turn, in milliseconds. */
const SLICE = 8

/** Cuts long work into slices. The event loop has a turn between them, and the work can be cancelled there. */
export class Pace {
  readonly #signal: AbortSignal
  #since = performance.now()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  get isDue(): boolean {
    return performance.now() - this.#since >= SLICE
  }

  /** Gives the event loop a turn. Throws if the work is cancelled. */
  async rest(): Promise<void> {
    await setImmediate()
    this.#signal.throwIfAborted()
    this.#since = performance.now()
  }
}
