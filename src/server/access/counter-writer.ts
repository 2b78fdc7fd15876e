import type { Environment, Storage } from '@braidwork/agent'
import { type CounterChange, withRetries } from '@braidwork/agent/internal'
import type { Log } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'

export interface CounterParts {
  readonly storage: Storage
  readonly environment: Environment
  readonly log: Log
}

/** Adds to counters in the background. Changes that arrive during a write are merged and written after it. */
export class CounterWriter {
  readonly #parts: CounterParts
  #waiting: readonly CounterChange[] = []
  #work: Promise<void> | undefined

  constructor(parts: CounterParts) {
    this.#parts = parts
  }

  add(changes: readonly CounterChange[]): void {
    this.#waiting = [...this.#waiting, ...changes]
    this.#work ??= this.#writeAll().finally(() => {
      this.#work = undefined
    })
  }

  /** Resolves when everything is written, or the storage has failed. */
  async settled(): Promise<void> {
    await this.#work
  }

  async #writeAll(): Promise<void> {
    const { storage, environment, log } = this.#parts
    while (this.#waiting.length > 0) {
      const changes = merged(this.#waiting)
      this.#waiting = []
      try {
        await withRetries(environment, () => storage.counters.add(changes))
      } catch (error) {
        log({ level: 'error', message: `Usage could not be counted yet: ${messageOf(error)}` })
        // It is written with the next change.
        this.#waiting = [...changes, ...this.#waiting]
        return
      }
    }
  }
}

/** One statement cannot change a counter twice. */
function merged(changes: readonly CounterChange[]): readonly CounterChange[] {
  const sums = new Map<string, CounterChange>()
  for (const change of changes) {
    const key = JSON.stringify([change.key, change.startsAt])
    const { amount = 0, held = 0 } = sums.get(key) ?? {}
    sums.set(key, { ...change, amount: amount + change.amount, held: held + change.held })
  }
  return [...sums.values()]
}
