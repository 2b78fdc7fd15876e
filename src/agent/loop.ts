import { setMaxListeners } from 'node:events'
import type { Host, Result } from '@braidwork/core'
import {
  abortError,
  assertSameVersion,
  type EventSource,
  EventStream,
  hostCalls,
  linkSignals,
  newRequestId,
  type OpenedConfig,
  retryOf,
  type Sink,
} from '@braidwork/core/internal'
import {
  type FinishReason,
  HostError,
  type MessagesInput,
  type RunEvent,
  type RunEventBody,
} from '@braidwork/plugin'
import { limitsOf, toHostError } from '@braidwork/plugin/internal'
import type { Resumption } from './approvals.ts'
import { systemEnvironment } from './environment.ts'
import { isFulfilled } from './forced-choice.ts'
import { RunMessages } from './run-messages.ts'
import type { RunOptions } from './run-options.ts'
import { askAgain, type RunEnding, RunRecord, type RunResult, withinRun } from './run-record.ts'
import { CallRunner, isClientCall } from './tool-calls/index.ts'

export type RunStream = EventStream<RunEvent, RunResult, RunEventBody>

/**
 * Runs an agent: each step sends one request to the model, runs the tool calls of the response, and appends their
 * results to the messages. The run ends when a response has no tool calls, when it reaches `maxSteps`, or when the
 * client has to answer a call. As with `host.stream`, it has exactly one ending.
 *
 * A call of a tool whose policy is `ask` suspends the run. The other calls still run, and then the run finishes
 * with `tool-calls`. To continue, pass `result.suspension` and the verdicts as `resume`.
 * @throws {HostError} PACKAGE_MISMATCH, if the host is of another version; it throws nothing else
 */
export function run(host: Host, options: RunOptions): RunStream {
  assertSameVersion(host, '@braidwork/agent')
  const { environment = systemEnvironment, resume } = options
  const record = new RunRecord(
    resume ?? { runId: options.runId ?? environment.newId('run'), seq: 0, steps: 0 },
    environment,
  )
  return new EventStream(new Run(host, options, record), record.number)
}

/** How a run continues after a step. */
type Next =
  | { readonly next: 'step' }
  | { readonly next: 'finish'; readonly finishReason: FinishReason }

/** A step after its response has arrived. */
interface Answered {
  readonly opened: OpenedConfig
  readonly requestId: string
  readonly result: Result
}

class Run implements EventSource<RunEventBody, RunResult> {
  readonly #record: RunRecord
  readonly #host: Host
  readonly #options: RunOptions
  readonly #messages: RunMessages
  readonly #calls: CallRunner
  readonly #cancel = new AbortController()
  #opened: OpenedConfig | undefined
  /** Replaces the config's `tool_choice` once a call has fulfilled it. */
  #toolChoice: 'auto' | undefined
  #sink: Sink<readonly RunEventBody[]> = () => undefined

  constructor(host: Host, options: RunOptions, record: RunRecord) {
    this.#host = host
    this.#options = options
    this.#record = record
    this.#messages = new RunMessages(options.messages)
    const { environment = systemEnvironment } = options
    this.#calls = new CallRunner({
      record,
      environment,
      signal: this.#cancel.signal,
      sink: (events) => this.#sink(events),
      committed: options.committed,
    })
    // Each running call adds a listener to this signal. Node would warn of a leak at the eleventh.
    setMaxListeners(0, this.#cancel.signal)
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
  }

  async run(sink: Sink<readonly RunEventBody[]>): Promise<RunResult> {
    this.#sink = sink
    let unlink: () => void = () => undefined
    try {
      unlink = linkSignals([this.#options.signal], this.#cancel)
      const { resume } = this.#options
      if (resume) await this.#resume(resume)
      for (let isFirst = !resume; ; isFirst = false) {
        const requestId = newRequestId()
        this.#record.beginStep()
        if (isFirst) await sink([{ type: 'start', requestId }])
        const answered = await this.#answer(requestId)
        if (answered.result.status !== 'done') return await this.#failed(answered.result)
        const next = await this.#afterAnswer(answered)
        if (this.#cancel.signal.aborted) return await this.#failed(this.#aborted())
        if (next.next === 'finish') return await this.#finished(next.finishReason)
      }
    } catch (error) {
      return await this.#failed(this.#failedBy(error))
    } finally {
      unlink()
      this.#opened?.end()
    }
  }

  /** Runs the calls that waited for approvals, with the tools that the config offers now. */
  async #resume(resumption: Resumption): Promise<void> {
    await this.#sink([{ type: 'start', requestId: this.#record.runId }])
    await this.#calls.resume(resumption, await this.#open())
    this.#relaxToolChoice(resumption.approvals)
  }

  /** Opens the config once, for all steps of the run. */
  async #open(): Promise<OpenedConfig> {
    const { config = {}, tools, conversationId } = this.#options
    this.#opened ??= await this.#host.open(config, {
      signal: this.#cancel.signal,
      runId: this.#record.runId,
      ...(tools ? { tools } : {}),
      ...(conversationId === undefined ? {} : { conversationId }),
      listener: {
        warn: (warning) => this.#record.warn(warning),
        emit: (event) => this.#calls.emitOfTool(event),
      },
    })
    return this.#opened
  }

  /**
   * Sends one request to the model and passes its events on, except its start and its ending: the run sends its
   * own.
   */
  async #answer(requestId: string): Promise<Answered> {
    const { steps: step } = this.#record
    await this.#sink([{ type: 'step-start', step, requestId }])
    const opened = await this.#open()
    const { environment = systemEnvironment } = this.#options
    const since = environment.elapsed()
    const messages = await this.#messages.with(this.#record.messages)
    const result = await this.#ask(opened, messages, requestId)
    this.#record.addAnswer(result)
    const model = { info: opened.modelInfo, config: opened.resolved.config }
    const seconds = (environment.elapsed() - since) / 1000
    this.#options.onAnswer?.({ result, messages, seconds, model })
    if (result.status === 'done') {
      const { finishReason, usage, messages: answered } = result
      await this.#sink([{ type: 'step-finish', step, finishReason, usage, messages: answered }])
    }
    return { opened, requestId, result }
  }

  #ask(opened: OpenedConfig, messages: MessagesInput, requestId: string): Promise<Result> {
    const { signal } = this.#cancel
    const asked = this.#toolChoice ? { toolChoice: this.#toolChoice } : {}
    const stream = opened.ask(messages, { requestId, signal, ...asked })
    return stream.pipeTo(withinRun(this.#sink))
  }

  async #afterAnswer({ opened, requestId, result }: Answered): Promise<Next> {
    const { messages, finishReason } = result
    const calls = hostCalls(messages)
    const retry = retryOf(messages)
    if (calls.length === 0) {
      if (!retry) return { next: 'finish', finishReason }
      if (this.#isAtLimit(opened)) throw new HostError(retry.code, retry.message)
      this.#record.addMessage(askAgain(retry.message))
      return { next: 'step' }
    }
    const own = calls.filter((call) => !isClientCall(call, opened))
    const pending = own.length > 0 ? await this.#calls.run({ calls: own, opened, requestId }) : []
    this.#record.suspend(pending)
    this.#relaxToolChoice(calls)
    if (pending.length > 0 || own.length < calls.length || this.#isAtLimit(opened)) {
      return { next: 'finish', finishReason: 'tool-calls' }
    }
    return { next: 'step' }
  }

  /** A `tool_choice` that forces a call applies until one is made. Otherwise it would force a call in every step. */
  #relaxToolChoice(calls: readonly { readonly name: string }[]): void {
    const opened = this.#opened
    const choice = opened?.resolved.config.tool_choice
    if (!opened || choice === undefined || choice === 'auto' || choice === 'none') return
    if (isFulfilled(choice, calls, opened)) this.#toolChoice = 'auto'
  }

  #isAtLimit({ resolved }: OpenedConfig): boolean {
    return this.#record.steps >= (this.#options.maxSteps ?? limitsOf(resolved.config).max_rounds)
  }

  async #finished(finishReason: FinishReason): Promise<RunResult> {
    const ending = { status: 'done', finishReason } as const
    const { usage, messages } = this.#record.result(ending)
    await this.#sink([{ type: 'finish', finishReason, usage, messages }])
    return this.#record.result(ending)
  }

  async #failed({ status, finishReason, error }: RunEnding): Promise<RunResult> {
    const failure = error ?? new HostError('PROVIDER_FAILED', 'The request failed.')
    await this.#sink([
      status === 'aborted'
        ? { type: 'abort', reason: failure.message }
        : { type: 'error', error: failure.toJSON() },
    ])
    return this.#record.result({ status, finishReason, error: failure })
  }

  /** A cancelled run ends as aborted, even if another error occurred. */
  #failedBy(thrown: unknown): RunEnding {
    const error = toHostError(thrown)
    if (this.#cancel.signal.aborted) return this.#aborted()
    if (error.code === 'ABORTED') return { status: 'aborted', finishReason: 'other', error }
    return { status: 'failed', finishReason: 'error', error }
  }

  #aborted(): RunEnding {
    const error = abortError(this.#cancel.signal)
    return { status: 'aborted', finishReason: 'other', error }
  }
}
