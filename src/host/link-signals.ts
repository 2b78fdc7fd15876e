/**
 * Aborts a controller as soon as one of the signals does.
 * @returns a function that takes the listeners away again
 */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const given = signals.filter((signal) => signal !== undefined)
  const listeners = given.map((signal) => {
    const onAbort = () => controller.abort(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    return () => signal.removeEventListener('abort', onAbort)
  })
  return () => {
    for (const remove of listeners) remove()
  }
}
