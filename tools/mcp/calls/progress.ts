import { isObject } from '@braidwork/plugin'
import { visibleCut } from '../visible.ts'

/** Milliseconds between two reports of progress. A server that reports more often is told of less often. */
const PACE_MS = 100
const LONGEST_MESSAGE = 500

/** The progress of a call as its tool reports it. */
export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Keeps only the newest report that nobody has read. A flood therefore takes neither memory nor a reader's time. */
export class NewestProgress {
  #newest: Progress | undefined
  #wake: (() => void) | undefined
  #readAt = -PACE_MS

  /** Takes what a server sent. */
  take(report: unknown): void {
    if (!isObject(report) || typeof report['progress'] !== 'number') return
    const { progress, total, message } = report
    this.#newest = {
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message: visibleCut(message, LONGEST_MESSAGE) } : {}),
    }
    this.#wake?.()
  }

  /** The newest report, once there is one and the last was read long enough ago; or nothing, once the work is over. */
  async next(work: Promise<unknown>): Promise<Progress | undefined> {
    const over = work.then(
      () => undefined,
      () => undefined,
    )
    if (this.#newest === undefined) {
      await Promise.race([over, new Promise<void>((resolve) => (this.#wake = resolve))])
      this.#wake = undefined
    }
    await this.#pause(over)
    const newest = this.#newest
    this.#newest = undefined
    this.#readAt = performance.now()
    return newest
  }

  async #pause(over: Promise<unknown>): Promise<void> {
    const wait = this.#readAt + PACE_MS - performance.now()
    if (wait <= 0) return
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, wait)
    })
    await Promise.race([over, late])
    clearTimeout(timer)
  }
}
