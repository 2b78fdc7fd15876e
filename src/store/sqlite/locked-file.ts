import { setTimeout as wait } from 'node:timers/promises'
import { storageError } from '@braidwork/agent/internal'
import { codeOf } from '@braidwork/core/internal'

/**
 * How long a statement waits for a locked file, and the pause between its attempts, in milliseconds. Other work
 * continues in the pauses.
 */
const PATIENCE = 5000
const PAUSE = 20
/** The SQLite error codes that may pass. They make an error retryable. */
const PASSING = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|CANTOPEN)/
const BUSY = /^SQLITE_(?:BUSY|LOCKED)/

/** Retries a function, with pauses, while another process has the file locked. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      if (!isBusy(cause) || performance.now() > until) throw error
      await wait(PAUSE)
    }
  }
}

/** Whether the driver found the file locked. */
export function isBusy(error: unknown): boolean {
  return BUSY.test(codeOf(error))
}

export function failureOf(error: unknown): Error {
  return storageError(error, PASSING.test(codeOf(error)))
}
