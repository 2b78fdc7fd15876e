import type { RunningCall } from './running-call.ts'

/** The most calls that wait for a person; the oldest gives way. */
const MOST = 1_000

/** The calls whose servers wait for a person. They live as long as this process. */
export class ParkedCalls {
  readonly #calls = new Map<
    string,
    { readonly call: RunningCall; readonly timer: NodeJS.Timeout }
  >()

  /** Keeps a call until it is taken, for so many milliseconds at most. */
  keep(key: string, call: RunningCall, ms: number): void {
    this.take(key)?.cancel(new Error('another call took its place'))
    const timer = setTimeout(() => this.take(key)?.cancel(new Error('nobody answered')), ms)
    timer.unref()
    this.#calls.set(key, { call, timer })
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MOST && oldest !== undefined)
      this.take(oldest)?.cancel(new Error('too many calls wait for a person'))
  }

  take(key: string): RunningCall | undefined {
    const kept = this.#calls.get(key)
    if (!kept) return undefined
    this.#calls.delete(key)
    clearTimeout(kept.timer)
    return kept.call
  }

  /** Cancels all calls. */
  close(): void {
    for (const key of this.#calls.keys()) this.take(key)?.cancel(new Error('the host is closing'))
  }
}
