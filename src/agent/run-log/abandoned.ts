import type { Environment } from '../environment.ts'
import type { LiveRun } from './live-run.ts'

/** Why a run was stopped that nobody reads. */
export const UNREAD = 'the run has no reader any more'

/** Stops a run when it has had no reader for `after` milliseconds, counted after its first reader left. */
export function stopWhenAbandoned(
  live: LiveRun,
  after: number,
  environment: Pick<Environment, 'sleep'>,
): void {
  let waiting: AbortController | undefined
  void live.settled.then(() => waiting?.abort())
  live.watchReaders((count) => {
    waiting?.abort()
    if (count > 0 || live.isOver) return
    const own = new AbortController()
    waiting = own
    const stop = () => live.stop(UNREAD)
    if (after === 0) stop()
    else environment.sleep(after, own.signal).then(stop, () => undefined)
  })
}
