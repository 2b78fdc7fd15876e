import type { EndingEvent, JsonObject, RunEvent } from '@braidwork/plugin'
import { errorOf, publicError } from '../index.ts'
import { errorResult, type McpResult } from './result.ts'

/** Whether a run has ended otherwise than with an answer. */
export class McpEnding {
  #ending: EndingEvent | undefined

  add(event: RunEvent): void {
    if (event.type === 'error' || event.type === 'abort') this.#ending = event
  }

  /** The result of a run that failed or was stopped. Undefined for any other. */
  failure(about: JsonObject): McpResult | undefined {
    if (!this.#ending) return undefined
    const { code, message } = publicError(errorOf(this.#ending))
    return errorResult(message, { ...about, code })
  }
}
