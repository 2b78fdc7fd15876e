import type { JsonObject, RunEvent } from '@braidwork/plugin'
import { publicError, type ShownError } from '../index.ts'
import { errorResult, type McpResult } from './result.ts'

/** Whether a run has ended otherwise than with an answer. */
export class McpEnding {
  #error: ShownError | undefined
  #isStopped = false

  add(event: RunEvent): void {
    if (event.type === 'error') this.#error = event.error
    if (event.type === 'abort') this.#isStopped = true
  }

  /** The result of a run that failed or was stopped. Undefined for any other. */
  failure(about: JsonObject): McpResult | undefined {
    if (this.#isStopped) return errorResult('The run was stopped.', { ...about, code: 'ABORTED' })
    if (!this.#error) return undefined
    const { code, message } = publicError(this.#error)
    return errorResult(message, { ...about, code })
  }
}
