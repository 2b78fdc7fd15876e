/**
 * The values of a generator that reads from a socket. Leaving it aborts the signal that the generator was
 * given, at once: a generator that waits in a read cannot be closed before the read has ended.
 */
export function closeable<T>(
  outer: AbortSignal,
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const { controller, unlink } = linked(outer)
      const values = start(controller.signal)
      return {
        next: async () => {
          try {
            const next = await values.next()
            if (next.done) unlink()
            return next
          } catch (error) {
            unlink()
            throw error
          }
        },
        return: async () => {
          unlink()
          controller.abort('the reader left')
          await values.return().catch(() => undefined)
          return { value: undefined, done: true }
        },
      }
    },
  }
}

/**
 * A controller that aborts with a signal, until it is unlinked. `AbortSignal.any` will not do: Node keeps
 * its signals for ever once somebody listens to them, and SDKs do.
 */
function linked(outer: AbortSignal): { controller: AbortController; unlink: () => void } {
  const controller = new AbortController()
  const onAbort = () => controller.abort(outer.reason)
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  return { controller, unlink: () => outer.removeEventListener('abort', onAbort) }
}
