/**
 * Runs something that Ctrl-C or SIGTERM stops by its signal, so that it can remove its unfinished work.
 * @returns its result
 */
export async function untilSignal<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const stop = () => controller.abort()
  for (const signal of signals) process.on(signal, stop)
  try {
    return await act(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
