import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'

/** What an id is for. */
export type IdKind = 'run' | 'approval' | 'conversation' | 'message' | 'lease'

/**
 * The clock, the timer and the source of ids of everything in src/agent: a test, or a host that is itself
 * part of a larger one, gives its own.
 */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after so many milliseconds; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Unique for ever. */
  newId(kind: IdKind): string
}

/** The system's own clock, timers and random ids. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    wait(milliseconds, undefined, signal === undefined ? undefined : { signal }),
  newId: () => randomUUID(),
}
