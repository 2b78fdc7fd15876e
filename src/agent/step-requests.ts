import type { AskOptions, DryRun, Host, Result } from '@braidwork/core'
import type { OpenedConfig, Sink } from '@braidwork/core/internal'
import {
  eventsOf,
  type MessagesInput,
  type ModelChoice,
  type RunEventBody,
  type ToolCallPart,
  toMessages,
} from '@braidwork/plugin'
import { AnswerClock } from './answer-clock.ts'
import { CallIds } from './call-ids.ts'
import { OWN_COMPACTION, ownCompactionEvents } from './compaction/index.ts'
import { systemEnvironment } from './environment.ts'
import { callsSinceUser, isFulfilled } from './forced-choice.ts'
import type { OpenedModels } from './opened-models.ts'
import { breakersOf, retryPolicyOf } from './retry/index.ts'
import { RunMessages } from './run-messages.ts'
import type { RunOptions } from './run-options.ts'
import { type RunRecord, withinRun } from './run-record.ts'
import { StepCompaction } from './step-compaction.ts'
import { type Answered, StepTries } from './step-tries.ts'
import { ToldContext } from './told-context.ts'
import { ToolModels } from './tool-models.ts'

export interface StepRequestsParts {
  /** The host, with which the circuit breakers of its runs are found. */
  readonly host: Host
  readonly options: RunOptions
  readonly record: RunRecord
  readonly models: OpenedModels
  readonly signal: AbortSignal
}

/** What the requests of a step have in common. */
interface Step {
  readonly requestId: string
  /** Receives at once what is told of a request, whatever becomes of its output. */
  readonly tell: Sink<readonly RunEventBody[]>
  readonly messages: MessagesInput
}

/** The requests of a run to models: for each step one, and those that repeat it. */
export class StepRequests {
  readonly #parts: StepRequestsParts
  readonly #messages: RunMessages
  readonly #context: ToldContext
  readonly #compaction: StepCompaction
  readonly #callIds: CallIds
  /** How many messages of the record have their calls in `#callIds`. */
  #noted: number | undefined
  /** The requests of tools. */
  readonly forTools: ToolModels
  /** Replaces the config's `tool_choice` once a call has fulfilled it. */
  #toolChoice: 'auto' | undefined

  constructor(parts: StepRequestsParts) {
    this.#parts = parts
    this.#messages = new RunMessages(parts.options.messages)
    this.#context = new ToldContext(parts.options)
    this.#callIds = new CallIds(parts.options.takenCallIds)
    this.#compaction = new StepCompaction(parts)
    this.forTools = new ToolModels(parts)
  }

  /**
   * Sends all messages so far to the model, and adds the answer to the record. The events of the answer go to the sink,
   * except its start and its ending: the run sends its own.
   */
  async send(requestId: string, sink: Sink<readonly RunEventBody[]>): Promise<Answered> {
    const answered = await this.#send(requestId, sink)
    const { opened, result } = answered
    if (opened.resolved.tags.has(OWN_COMPACTION)) await sink(this.#ownCompactions(result))
    return answered
  }

  #ownCompactions({ messages }: Result): readonly RunEventBody[] {
    const { options, record } = this.#parts
    const { environment = systemEnvironment } = options
    const newId = () => environment.newId('compaction')
    return ownCompactionEvents(messages, { runId: record.runId, newId })
  }

  async #send(requestId: string, sink: Sink<readonly RunEventBody[]>): Promise<Answered> {
    const { host, options, record, models, signal } = this.#parts
    const { retry, canReset = true, environment = systemEnvironment, call } = options
    if (call) return this.#given(call, sink)
    await this.#compaction.compact(await models.open(), sink)
    const messages = await this.#messages.with(record)
    this.#noteCalls()
    const ask = (opened: OpenedConfig, to: Sink<readonly RunEventBody[]>) =>
      this.#ask(opened, { requestId, messages, tell: sink }, to)
    const policy = retryPolicyOf(retry)
    if (policy.retries === 0 && models.isOne) {
      const opened = await models.open()
      const result = await ask(opened, sink)
      record.addAnswer(result)
      return { opened, result }
    }
    const breakers = options.breakers ?? breakersOf(host)
    const common = { models, policy, breakers, canReset, record, environment, signal }
    return new StepTries({ ...common, sink, ask }).send()
  }

  /** Takes a given call as the answer of the step. */
  async #given(call: ToolCallPart, sink: Sink<readonly RunEventBody[]>): Promise<Answered> {
    const { models, record } = this.#parts
    const opened = await models.open()
    await opened.offer()
    const message = { role: 'assistant', parts: [call] } as const
    const answer = { messages: [message], finishReason: 'tool-calls', usage: {} } as const
    const result = { status: 'done', warnings: [], ...answer } as const
    await sink(eventsOf(message))
    record.addAnswer(result)
    return { opened, result }
  }

  /** Notes the calls of the messages that came since the last request, or before the first one. */
  #noteCalls(): void {
    const { options, record } = this.#parts
    if (this.#noted === undefined) this.#callIds.add(toMessages(options.messages))
    this.#callIds.add(record.messages.slice(this.#noted))
    this.#noted = record.messages.length
  }

  /** Sends one request. */
  async #ask(
    opened: OpenedConfig,
    { requestId, messages, tell }: Step,
    sink: Sink<readonly RunEventBody[]>,
  ): Promise<Result> {
    const { options, record, signal } = this.#parts
    const { environment = systemEnvironment, onAnswer } = options
    const clock = new AnswerClock(environment)
    const ids = this.#callIds.forAnswer()
    const stream = opened.ask(messages, {
      requestId,
      signal,
      onContext: (reported) =>
        tell(
          this.#context.eventsOf(
            { requestId, step: record.steps },
            reported,
            record.compactions.at(-1),
          ),
        ),
      ...this.#changes,
    })
    const result = ids.result(await stream.pipeTo(withinRun(ids.within(clock.watch(sink)))))
    const model = { info: opened.modelInfo, config: opened.resolved.config }
    this.#compaction.note(result.usage)
    onAnswer?.({ result, messages, model, ...clock.times })
    return result
  }

  /** Builds the first request of the run, without sending it. Nothing is compacted for it. */
  async dryRun(): Promise<DryRun & { readonly model: ModelChoice }> {
    const { models, record, options } = this.#parts
    const opened = await models.open()
    this.relaxToolChoice(opened, callsSinceUser(toMessages(options.messages)))
    const messages = await this.#messages.with(record)
    const built = await opened.dryRun(messages, { steps: true, changes: this.#changes })
    return { ...built, model: models.choiceOf(opened) }
  }

  /** What the requests of the run change in its config. */
  get #changes(): Pick<AskOptions, 'toolChoice' | 'isRepeated' | 'streamIdle' | 'retryAfter'> {
    const { options, record } = this.#parts
    const { retry, startWait } = options
    const isFirst = record.steps <= 1
    const streamIdle = retry?.stream_idle_timeout_secs
    return {
      ...(this.#toolChoice ? { toolChoice: this.#toolChoice } : {}),
      ...(retry ? { isRepeated: true } : {}),
      ...(streamIdle === undefined ? {} : { streamIdle }),
      ...(isFirst && startWait !== undefined ? { retryAfter: startWait } : {}),
    }
  }

  /** A `tool_choice` that forces a call applies until one is made. Otherwise it would force a call in every step. */
  relaxToolChoice(opened: OpenedConfig, called: readonly { readonly name: string }[]): void {
    const { tool_choice: choice } = opened.resolved.config
    if (choice === undefined || choice === 'auto' || choice === 'none') return
    if (isFulfilled(choice, called, opened)) this.#toolChoice = 'auto'
  }
}
