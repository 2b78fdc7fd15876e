/**
 * Aborts a controller as soon as one of the signals aborts.
 * @returns a function that removes the listeners
 * @throws {TypeError} if one of them is not an AbortSignal, for example when a caller passes the controller instead
 */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const unlinks: (() => void)[] = []
  for (const signal of signals) {
    if (signal && typeof signal.addEventListener !== 'function') {
      throw new TypeError('The value given as "signal" is not an AbortSignal.')
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
