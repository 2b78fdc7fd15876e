import type { Result } from '@braidwork/core'
import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import type { RunEventBody } from '@braidwork/plugin'
import { AnswerClock } from './answer-clock.ts'
import { systemEnvironment } from './environment.ts'
import { isFulfilled } from './forced-choice.ts'
import { RunMessages } from './run-messages.ts'
import type { RunOptions } from './run-options.ts'
import { type RunRecord, withinRun } from './run-record.ts'

export interface StepRequestsParts {
  readonly options: RunOptions
  readonly record: RunRecord
  readonly signal: AbortSignal
}

/** The requests of a run to the model, one for each step. */
export class StepRequests {
  readonly #parts: StepRequestsParts
  readonly #messages: RunMessages
  /** Replaces the config's `tool_choice` once a call has fulfilled it. */
  #toolChoice: 'auto' | undefined

  constructor(parts: StepRequestsParts) {
    this.#parts = parts
    this.#messages = new RunMessages(parts.options.messages)
  }

  /**
   * Sends all messages so far to the model, and adds the answer to the record. The events of the answer go to the sink,
   * except its start and its ending: the run sends its own.
   */
  async send(
    opened: OpenedConfig,
    requestId: string,
    sink: Sink<readonly RunEventBody[]>,
  ): Promise<Result> {
    const { options, record, signal } = this.#parts
    const { environment = systemEnvironment, onAnswer } = options
    const clock = new AnswerClock(environment)
    const messages = await this.#messages.with(record.messages)
    const asked = this.#toolChoice ? { toolChoice: this.#toolChoice } : {}
    const stream = opened.ask(messages, { requestId, signal, ...asked })
    const result = await stream.pipeTo(withinRun(clock.watch(sink)))
    record.addAnswer(result)
    const model = { info: opened.modelInfo, config: opened.resolved.config }
    onAnswer?.({ result, messages, model, ...clock.times })
    return result
  }

  /** A `tool_choice` that forces a call applies until one is made. Otherwise it would force a call in every step. */
  relaxToolChoice(opened: OpenedConfig, called: readonly { readonly name: string }[]): void {
    const { tool_choice: choice } = opened.resolved.config
    if (choice === undefined || choice === 'auto' || choice === 'none') return
    if (isFulfilled(choice, called, opened)) this.#toolChoice = 'auto'
  }
}
