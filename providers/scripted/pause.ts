import { abortError } from './errors.ts'

/** Waits for the chunks of one stream, over and over, with one timer and one listener. */
export class Pacer {
  readonly #milliseconds: number
  readonly #signal: AbortSignal
  #timer: NodeJS.Timeout | undefined
  #resolve: () => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#milliseconds = milliseconds
    this.#signal = signal
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Waits once; at once no longer when the signal aborts. */
  wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#signal.aborted) this.#onAbort()
      else if (this.#timer) this.#timer.refresh()
      else this.#timer = setTimeout(() => this.#resolve(), this.#milliseconds)
    })
  }

  /** Leaves neither timer nor listener behind. */
  end(): void {
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => {
    clearTimeout(this.#timer)
    this.#reject(abortError(this.#signal))
  }
}

/** Never answers; ends by the signal alone. */
export function stall(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(abortError(signal))
    else signal.addEventListener('abort', () => reject(abortError(signal)), { once: true })
  })
}
