import type { Environment, IdKind } from '../../src/agent/index.ts'

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/** A clock, timers and ids that depend only on what is asked of them: time goes on when all others wait for it. */
export class VirtualEnvironment implements Environment {
  #now = 1_700_000_000_000
  #ids = 0
  #sleepers: Sleeper[] = []

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now
  }

  newId(kind: IdKind): string {
    return `${kind}-${++this.#ids}`
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal?.reason)
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort, { once: true })
      const wake = () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      this.#sleepers.push({ due: this.#now + milliseconds, wake })
      if (this.#sleepers.length === 1) setImmediate(this.#pass)
    })
  }

  /** Wakes the sleeper that is due first; of several, the one that came first. */
  readonly #pass = (): void => {
    const [first] = this.#sleepers.toSorted((left, right) => left.due - right.due)
    if (!first) return
    this.#sleepers = this.#sleepers.filter((one) => one !== first)
    this.#now = first.due
    first.wake()
    if (this.#sleepers.length > 0) setImmediate(this.#pass)
  }
}
