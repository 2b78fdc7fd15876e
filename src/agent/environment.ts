import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LONGEST_TIMER } from '@braidwork/core/internal'

/** The kind of object that an id names. */
export type IdKind =
  | ('run' | 'request' | 'call' | 'approval')
  | ('conversation' | 'message' | 'lease' | 'compaction')

/**
 * The clock, the timer and the source of ids for all code in src/agent. A test, or an application that embeds this
 * package, can supply its own.
 */
export interface Environment {
  /**
   * Wall-clock time in milliseconds since 1970, for times that are stored or shown. The clock may jump forwards or
   * backwards.
   */
  now(): number
  /** Monotonic time in milliseconds since an arbitrary moment. All durations are measured with it. */
  elapsed(): number
  /** Resolves after the given number of milliseconds. Rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Returns an id that never repeats. */
  newId(kind: IdKind): string
}

/** The clock and timers of the system, with random UUIDs as ids. */
export const systemEnvironment: Environment = {
  now: Date.now,
  elapsed: performance.now.bind(performance),
  sleep: async (milliseconds, signal) => {
    const options = signal === undefined ? undefined : { signal }
    let left = milliseconds
    for (; left > LONGEST_TIMER; left -= LONGEST_TIMER) {
      await wait(LONGEST_TIMER, undefined, options)
    }
    await wait(left, undefined, options)
  },
  newId: () => randomUUID(),
}
