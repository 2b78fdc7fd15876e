import { ServerError } from '../server/index.ts'
import { pause } from './pause.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

/** Asks the server again and again until it answers, or until a signal aborts. @throws {ServerError} what it answers */
export async function untilReached(act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    await pause(wait, signal)
    if (signal.aborted) return
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof ServerError) || error.status !== 0) throw error
    }
  }
}
