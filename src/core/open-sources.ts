import { LimitTimer, timerOf } from './timers.ts'

type Source = AsyncIterator<unknown> | Iterator<unknown>

/** The iterators of plugins that are being closed, by plugin. */
const closing = new WeakMap<object, Set<Promise<void>>>()

/** Iterators that are closed or being closed. */
const known = new WeakSet<Source>()

/**
 * Closes an iterator of a plugin, once. Nobody has to wait for it, as it may hang. An error while closing changes
 * nothing.
 */
export function closeSource(plugin: object, source: Source): void {
  if (known.has(source)) return
  known.add(source)
  const all = closing.get(plugin) ?? new Set()
  const closed: Promise<void> = close(source).then(() => {
    all.delete(closed)
  })
  closing.set(plugin, all.add(closed))
}

async function close(source: Source): Promise<void> {
  try {
    await source.return?.()
  } catch {
    // The reader has its own error already.
  }
}

/** Resolves when the iterators of a plugin that are being closed are, and after some seconds at the latest. */
export async function sourcesClosed(plugin: object, seconds: number): Promise<void> {
  const all = closing.get(plugin)
  if (!all || all.size === 0) return
  await new Promise<void>((resolve) => {
    const timer = new LimitTimer(resolve, timerOf(seconds))
    void Promise.all(all).then(() => {
      timer.stop()
      resolve()
    })
  })
}
