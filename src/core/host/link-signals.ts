import { HostError } from '@braidwork/plugin'

/**
 * Aborts a controller as soon as one of the signals aborts.
 * @returns a function that removes the listeners
 * @throws {HostError} OPTION_INVALID if one of them is not an AbortSignal, for example when a caller passes the
 * controller instead
 */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const unlinks: (() => void)[] = []
  for (const signal of signals) {
    if (signal && typeof signal.addEventListener !== 'function') {
      const message = '"signal" must be an AbortSignal, such as the signal of an AbortController.'
      throw new HostError('OPTION_INVALID', message, { pointer: '/signal' })
    }
  }
  for (const signal of new Set(signals)) if (signal) unlinks.push(link(signal, controller))
  return () => {
    for (const unlink of unlinks) unlink()
  }
}

function link(signal: AbortSignal, controller: AbortController): () => void {
  const onAbort = () => controller.abort(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}
