import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LONGEST_TIMER } from '@braidwork/core/internal'

/** What an id is for. */
export type IdKind = 'run' | 'approval' | 'conversation' | 'message' | 'lease'

/**
 * The clock, the timer and the source of ids of everything in src/agent: a test, or a host that is itself
 * part of a larger one, gives its own.
 */
export interface Environment {
  /** Milliseconds since 1970, as they are stored and shown. The clock may be set, forwards and back. */
  now(): number
  /** Milliseconds since a moment of its own, whatever happens to the clock: by these all waits are measured. */
  elapsed(): number
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Unique for ever. */
  newId(kind: IdKind): string
}

/** The system's own clock, timers and random ids. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
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
