/**
 * Aborts a controller as soon as one of the signals does.
 * @returns a function that takes the listeners away again
 * @throws {TypeError} where one is no signal, as when the controller was given instead
 */
export function linkSignals(
  signals: readonly (AbortSignal | undefined)[],
  controller: AbortController,
): () => void {
  const given = signals.filter((signal) => signal !== undefined)
  if (given.some((signal) => typeof signal.addEventListener !== 'function')) {
    throw new TypeError('What was given as "signal" is no AbortSignal.')
  }
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
