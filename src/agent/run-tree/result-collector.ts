import type { FinalCallState, RunEvent } from '@braidwork/plugin'
import { preview } from '../children/index.ts'

/** What became of a call, for lists and events. The model gets the whole result. AL-11 */
export interface CollectedResult {
  readonly callId: string
  readonly name: string
  /** The state in which the call ended. */
  readonly state?: FinalCallState
  readonly isError: boolean
  /** The beginning of the result. */
  readonly preview: string
}

/** The calls of one request to the model. AL-12 */
export interface CollectedRequest {
  readonly requestId: string
  /** How many calls began. */
  readonly begun: number
  /** How many have ended. */
  readonly ended: number
  readonly results: readonly CollectedResult[]
}

interface Counted {
  readonly requestId: string
  readonly calls: Set<string>
  readonly results: Map<string, CollectedResult>
}

/** Collects the results of a run's calls from its events, by the request whose answer asked for them. AL-11, AL-12 */
export class ResultCollector {
  readonly #longest: number | undefined
  readonly #requests: Counted[] = []

  /** @param options.max_preview_len the most graphemes of a preview; the default is 200 */
  constructor({ max_preview_len: longest }: { readonly max_preview_len?: number } = {}) {
    this.#longest = longest
  }

  add(event: RunEvent): void {
    if (event.type === 'step-start') this.#begin(event.requestId)
    const request = this.#requests.at(-1)
    if (event.type === 'tool-execution-start') request?.calls.add(event.callId)
    if (event.type !== 'tool-execution-end') return
    const { callId, state, result } = event
    const { name, output, isError = false } = result
    const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
    request?.calls.add(callId)
    request?.results.set(callId, {
      callId,
      name,
      ...(state ? { state } : {}),
      isError,
      preview: preview(text, this.#longest),
    })
  }

  /** The requests so far, in order. */
  get requests(): readonly CollectedRequest[] {
    return this.#requests.map(({ requestId, calls, results }) => ({
      requestId,
      begun: calls.size,
      ended: results.size,
      results: [...results.values()],
    }))
  }

  /** Whether all calls of a request have ended, or by default those of all requests. AL-12 */
  isComplete(requestId?: string): boolean {
    const asked = this.#requests.filter((one) => (requestId ?? one.requestId) === one.requestId)
    return asked.every(({ calls, results }) => results.size === calls.size)
  }

  #begin(requestId: string): void {
    this.#requests.push({ requestId, calls: new Set(), results: new Map() })
  }
}
