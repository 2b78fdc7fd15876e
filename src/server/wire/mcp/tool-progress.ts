import { isObject, type RunEvent } from '@braidwork/plugin'
import type { McpProgress } from './progress.ts'
import { shownProgress } from './progress.ts'

/** Tells the progress of a tool that a client called itself. Its numbers grow, whatever the tool reports. */
export class McpToolProgressView {
  #last = -1

  /** Takes an event in. Returns what the client is told, if anything. */
  add(event: RunEvent): McpProgress | undefined {
    if (event.type !== 'tool-execution-progress') return undefined
    const { progress: told } = event
    const { progress, total, message } = isObject(told) ? told : {}
    const isNumber = typeof progress === 'number' && Number.isFinite(progress)
    this.#last = isNumber && progress > this.#last ? progress : this.#last + 1
    if (!isNumber) return { progress: this.#last, message: shownProgress(told) }
    return {
      progress: this.#last,
      ...(typeof total === 'number' ? { total } : {}),
      ...(message === undefined ? {} : { message: shownProgress(message) }),
    }
  }
}
