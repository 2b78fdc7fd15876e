import { ServerError } from '../server/index.ts'
import { pause } from './pause.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/** Asks the server again and again until it answers, or until a signal aborts. @throws {ServerError} what it answers */
export async function untilReached(
  act: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    await pause(wait, signal)
    if (signal.aborted) return
    try {
      await act()
      return
    } catch (error) {
      if (!isOffline(error)) throw error
    }
  }
}

/**
 * Does something at once, or as soon as the server is there.
 * @param onOffline is told if the server is not there at once
 * @throws {ServerError} what it answers
 */
export async function whenReached(
  act: () => Promise<unknown>,
  signal: AbortSignal,
  onOffline: (error: ServerError) => void,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isOffline(error)) throw error
    onOffline(error)
    await untilReached(act, signal)
  }
}

/** Whether an error is that the server gave no answer. */
export function isOffline(error: unknown): error is ServerError {
  return error instanceof ServerError && error.status === 0
}
