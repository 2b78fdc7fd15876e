import { HostError } from '@braidwork/plugin'
import type { Closing } from './closing.ts'

/**
 * Runs a hook with a signal of its own. It aborts with the signals that it follows, when the host closes, and if the
 * hook exceeds its limit: then the error is its reason.
 */
export async function withOwnSignal<T>(
  closing: Closing,
  signals: readonly (AbortSignal | undefined)[],
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const unlink = closing.link(own, ...signals)
  try {
    return await run(own.signal)
  } catch (error) {
    if (HostError.is(error) && error.code === 'TIMEOUT') own.abort(error)
    throw error
  } finally {
    unlink()
  }
}
