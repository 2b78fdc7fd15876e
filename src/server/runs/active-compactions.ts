import type { HostError } from '@braidwork/plugin'
import { compactionBusy } from './compaction-claims.ts'

interface Work {
  readonly done: Promise<unknown>
  readonly cancel: AbortController
}

/** The compactions of this process: one at a time for each conversation. */
export class ActiveCompactions {
  readonly #works = new Map<string, Work>()

  /**
   * Does a compaction, unless one is in progress.
   * @param act is given a signal that aborts when the compaction is cancelled
   * @throws {HostError} COMPACTION_BUSY; the reason of `cancel`; what `act` throws
   */
  async begin<T>(key: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#works.has(key)) throw compactionBusy()
    const cancel = new AbortController()
    const done = act(cancel.signal)
    this.#works.set(key, { done, cancel })
    try {
      return await done
    } catch (error) {
      throw cancel.signal.aborted ? cancel.signal.reason : error
    } finally {
      this.#works.delete(key)
    }
  }

  /** Cancels the compaction of a conversation, if there is one, and waits for its end. */
  async cancel(key: string, reason: HostError): Promise<void> {
    const work = this.#works.get(key)
    work?.cancel.abort(reason)
    await Promise.allSettled([work?.done])
  }

  /** Resolves when all have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#works.values()].map(({ done }) => done))
  }
}
