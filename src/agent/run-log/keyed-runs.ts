import type { LiveRun } from './live-run.ts'

/** The runs that this process started with an idempotency key and still works on, by owner and key. */
export class KeyedRuns {
  readonly #runs = new Map<string, LiveRun>()

  keep(owner: string, idempotencyKey: string, live: LiveRun): void {
    const key = keyOf(owner, idempotencyKey)
    this.#runs.set(key, live)
    void live.settled.then(() => {
      if (this.#runs.get(key) === live) this.#runs.delete(key)
    })
  }

  find(owner: string, idempotencyKey: string): LiveRun | undefined {
    const live = this.#runs.get(keyOf(owner, idempotencyKey))
    return live?.signal.aborted ? undefined : live
  }
}

function keyOf(owner: string, idempotencyKey: string): string {
  return JSON.stringify([owner, idempotencyKey])
}
