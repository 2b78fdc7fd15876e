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
      const controller = new AbortController()
      const values = start(AbortSignal.any([outer, controller.signal]))
      return {
        next: () => values.next(),
        return: async () => {
          controller.abort()
          await values.return().catch(() => undefined)
          return { value: undefined, done: true }
        },
      }
    },
  }
}
