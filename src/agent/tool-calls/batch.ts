import {
  allowListeners,
  type CallOutcome,
  failure,
  linkSignals,
  type OpenedConfig,
} from '@braidwork/core/internal'
import { ended, isFinal, moved, type ToolCall } from './tool-call.ts'

const SIBLING = 'another call of the step failed'

/**
 * The calls of one step. If the config says `on_sibling_failure: cancel`, a call that fails cancels those that have not
 * ended. LT-06
 */
export class Batch implements Disposable {
  readonly #run: AbortSignal
  /** Aborts with the run, and when a sibling failed. Absent if a failure cancels nothing. */
  readonly #siblings: AbortController | undefined
  readonly #unlink: () => void

  constructor({ resolved }: OpenedConfig, run: AbortSignal) {
    this.#run = run
    const isCancelling = resolved.config.on_sibling_failure === 'cancel'
    this.#siblings = isCancelling ? new AbortController() : undefined
    if (this.#siblings) allowListeners(this.#siblings.signal)
    this.#unlink = this.#siblings ? linkSignals([run], this.#siblings) : () => undefined
  }

  /** The signal for the calls of the step. */
  get signal(): AbortSignal {
    return this.#siblings?.signal ?? this.#run
  }

  /** A call that runs next, or has ended because the run or a sibling ended. */
  queued(call: ToolCall): ToolCall {
    if (isFinal(call)) return call
    return this.signal.aborted ? ended(call, this.cancellation()) : moved(call, 'queued')
  }

  /** Takes note of a call that has ended. */
  ended({ state }: ToolCall): void {
    if (state !== 'succeeded') this.#siblings?.abort(SIBLING)
  }

  /** The outcome of a call that was cancelled before it ran. */
  cancellation(): CallOutcome {
    return this.#run.aborted || !this.#siblings?.signal.aborted
      ? failure('canceled', 'The call was cancelled before it ran.')
      : failure('sibling_canceled', `The call did not run, because ${SIBLING}.`)
  }

  /** The outcome of a call that ran, told as cancelled by its sibling where that is the reason. */
  outcomeOf(outcome: CallOutcome): CallOutcome {
    if (outcome.state !== 'canceled' || this.#run.aborted) return outcome
    return failure('sibling_canceled', `The call was cancelled while it ran, because ${SIBLING}.`)
  }

  [Symbol.dispose](): void {
    this.#unlink()
  }
}
