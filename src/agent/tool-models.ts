import type { Host, Result } from '@braidwork/core'
import type { AskModel } from '@braidwork/core/internal'
import {
  addUsage,
  HostError,
  type ModelAnswer,
  type ModelRequest,
  type Usage,
} from '@braidwork/plugin'
import { AnswerClock } from './answer-clock.ts'
import { systemEnvironment } from './environment.ts'
import type { OpenedModels } from './opened-models.ts'
import { assertInScope } from './policy/index.ts'
import type { RunOptions } from './run-options.ts'
import type { RunRecord } from './run-record.ts'
import { textOnly } from './text-only.ts'

/** The most requests of one call. */
const MOST_REQUESTS = 64

export interface ToolModelsParts {
  readonly host: Host
  readonly options: RunOptions
  readonly record: RunRecord
  readonly models: Pick<OpenedModels, 'config'>
}

/** A call whose tool may ask the model. */
export interface AskingCall {
  readonly callId: string
  readonly signal: AbortSignal
  /** Tells the progress of the call. */
  readonly tell: (progress: object) => void
}

interface AnsweredTool {
  readonly result: Result
  readonly provider: string
  readonly model: string
}

/**
 * The requests that tools send to the model of a run in the middle of their calls. The model is asked for text alone: it
 * has no tools, and sees neither the conversation nor the prompt of the agent. What it uses counts for the run.
 */
export class ToolModels {
  readonly #parts: ToolModelsParts
  readonly #spent = new Map<string, Usage>()

  constructor(parts: ToolModelsParts) {
    this.#parts = parts
  }

  /** What the requests of a call have used in this leg. Undefined if there were none. */
  spentBy(callId: string): Usage | undefined {
    return this.#spent.get(callId)
  }

  /** Lets the tool of a call ask the model. A signal of the call itself replaces the one of its step. */
  askerFor({ callId, signal: step, tell }: AskingCall): AskModel {
    let count = 0
    return async (request, signal = step) => {
      this.#assertAllowed(callId, ++count)
      const { result, provider, model } = await this.#ask(request, signal)
      this.#count(callId, result)
      const { usage, finishReason } = result
      tell({ asked_model: { provider, model, finish_reason: finishReason, usage } })
      signal.throwIfAborted()
      if (result.status !== 'done') throw result.error
      const parts = result.messages.flatMap((message) => message.parts)
      return { parts, model, finishReason, usage } satisfies ModelAnswer
    }
  }

  /** @throws {HostError} SCOPE_EXPIRED, OPTION_INVALID */
  #assertAllowed(callId: string, count: number): void {
    const { record, options } = this.#parts
    const { environment = systemEnvironment, identity } = options
    assertInScope(identity, environment.now())
    if (count <= MOST_REQUESTS && !record.isOver) return
    const why = record.isOver ? 'its run has ended' : `it has asked ${MOST_REQUESTS} times`
    const message = `The tool of the call "${callId}" may not ask the model any more: ${why}.`
    throw new HostError('OPTION_INVALID', message)
  }

  async #ask(request: ModelRequest, signal: AbortSignal): Promise<AnsweredTool> {
    const { host, options, record, models } = this.#parts
    const { environment = systemEnvironment, onAnswer } = options
    const { messages, model, maxOutputTokens, temperature, stop } = request
    const asked = {
      max_output_tokens: maxOutputTokens,
      ...(model === undefined ? {} : { model }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(stop === undefined ? {} : { stop }),
    }
    using opened = await host.open(textOnly(host, models.config, asked), {
      signal,
      runId: record.runId,
    })
    const clock = new AnswerClock(environment)
    const stream = opened.ask(messages, { requestId: record.newRequestId(), signal })
    const result = await stream.pipeTo(clock.watch(() => undefined))
    const { config, plugins } = opened.resolved
    onAnswer?.({ result, messages, model: { info: opened.modelInfo, config }, ...clock.times })
    return { result, provider: plugins.provider.name, model: config.model ?? '' }
  }

  #count(callId: string, { usage, warnings }: Result): void {
    const { record } = this.#parts
    this.#spent.set(callId, addUsage(this.#spent.get(callId) ?? {}, usage))
    record.addUsage(usage)
    for (const warning of warnings) record.warn(warning)
  }
}
