import { setMaxListeners } from 'node:events'
import type { Show } from '../chain/answer.ts'
import { HostError, toHostError } from '../errors.ts'
import {
  type FinishReason,
  isEnding,
  type Message,
  type MessagesInput,
  type RunEvent,
  type RunEventBody,
  toMessages,
} from '../events/index.ts'
import { openTools } from '../host/doors.ts'
import { type EventSource, EventStream } from '../host/event-stream.ts'
import { coreOf, type Host } from '../host/host.ts'
import { linkSignals } from '../host/link-signals.ts'
import { HostRequest, type OpenRequest } from '../host/request.ts'
import { hostCalls, type Result, retryOf } from '../host/result.ts'
import { abortError, type Config, limitsOf, type ModelInfo } from '../plugin/internal.ts'
import type { ConfigLayer } from '../schema/layers.ts'
import type { CallerTool } from '../schema/offered-tools.ts'
import type { Resumption } from './approvals.ts'
import { CallRunner } from './call-runner.ts'
import { type Environment, systemEnvironment } from './environment.ts'
import { type RunEnding, RunRecord, type RunResult } from './run-record.ts'
import { isClientCall } from './tool-calls.ts'

export interface RunOptions {
  readonly config?: ConfigLayer
  readonly messages: MessagesInput
  readonly signal?: AbortSignal
  /** Tools of the caller; calls of those without `execute` end the run. */
  readonly tools?: readonly CallerTool[]
  /** By default `limits.max_rounds` of the config, 16. */
  readonly maxSteps?: number
  readonly conversationId?: string
  /** By default a new one. */
  readonly runId?: string
  /** Goes on with a run that waits for approvals; `messages` are then all up to and with its last. */
  readonly resume?: Resumption
  readonly environment?: Environment
  /** Is told of each request to a model when it is over, whole or cut, before anything follows from it. */
  readonly onAnswer?: (answer: RunAnswer) => void
}

/** One request of a run to a model, and what came of it. */
export interface RunAnswer {
  readonly result: Result
  /** All that the model was shown. */
  readonly messages: MessagesInput
  /** Absent where the request failed before it was clear which model it is for. */
  readonly model?: { readonly info: ModelInfo; readonly config: Config }
  readonly seconds: number
}

export type RunStream = EventStream<RunEvent, RunResult, RunEventBody>

/**
 * Steps until the model calls no more tools: an answer, its calls run, their results handed back. Ends
 * by itself at `maxSteps`, and where calls are the client's to answer. Never throws; as with
 * `host.stream`, there is exactly one ending.
 *
 * Calls of tools whose policy is `ask` suspend it: the others are run, then it finishes with
 * `tool-calls`, and `result.suspension` is what `resume` takes, with the answers.
 */
export function run(host: Host, options: RunOptions): RunStream {
  const { environment = systemEnvironment, resume } = options
  const record = new RunRecord(
    resume ?? { runId: options.runId ?? environment.newId('run'), seq: 0, steps: 0 },
  )
  return new EventStream(new Run(host, options, record), (event) => record.number(event))
}

/** What a step leads to. */
type Next =
  | { readonly next: 'step' }
  | { readonly next: 'finish'; readonly finishReason: FinishReason }

class Run implements EventSource<RunEventBody, RunResult> {
  readonly #record: RunRecord
  readonly #core
  readonly #options: RunOptions
  readonly #calls: CallRunner
  readonly #cancel = new AbortController()
  #config: ConfigLayer
  #show: Show<RunEventBody> = () => undefined

  constructor(host: Host, options: RunOptions, record: RunRecord) {
    this.#core = coreOf(host)
    this.#options = options
    this.#config = options.config ?? {}
    this.#record = record
    const { environment = systemEnvironment } = options
    this.#calls = new CallRunner({
      core: this.#core,
      record,
      environment,
      signal: this.#cancel.signal,
      show: (events) => this.#show(events),
    })
    // Each call that runs listens to it; Node would warn of a leak from the eleventh on.
    setMaxListeners(0, this.#cancel.signal)
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
  }

  async run(show: Show<RunEventBody>): Promise<RunResult> {
    this.#show = show
    let unlink: () => void = () => undefined
    let request: HostRequest | undefined
    try {
      unlink = linkSignals([this.#options.signal], this.#cancel)
      const { resume } = this.#options
      if (resume) await this.#resume(resume)
      for (let isFirst = !resume; ; isFirst = false) {
        request?.end()
        const messages = this.#messages()
        request = this.#request(messages)
        this.#record.beginStep()
        if (isFirst) await show([{ type: 'start', requestId: request.requestId }])
        const answered = await this.#answer(request, messages)
        if (answered.status !== 'done') return await this.#failed(answered)
        const next = await this.#afterAnswer(answered, request.current)
        if (this.#cancel.signal.aborted) return await this.#failed(this.#aborted())
        if (next.next === 'finish') return await this.#finished(next.finishReason)
      }
    } catch (error) {
      return await this.#failed(failedBy(error))
    } finally {
      unlink()
      request?.end()
    }
  }

  /** The calls that waited for approvals, run by what is on offer now. */
  async #resume(resumption: Resumption): Promise<void> {
    const requestId = this.#record.runId
    await this.#show([{ type: 'start', requestId }])
    const { tools, conversationId } = this.#options
    const { runId } = this.#record
    const scope = new AbortController()
    try {
      const options = { tools, conversationId, runId, scope: scope.signal }
      const request = await openTools(this.#core, this.#config, options)
      await this.#calls.resume(resumption, request)
      this.#relaxToolChoice()
    } finally {
      scope.abort('the calls were run')
    }
  }

  #messages(): MessagesInput {
    const { messages: since } = this.#record
    const { messages: given } = this.#options
    return since.length === 0 ? given : [...listOf(given), ...since]
  }

  #request(messages: MessagesInput): HostRequest {
    const { tools, conversationId } = this.#options
    const { runId } = this.#record
    return new HostRequest(this.#core, 'stream', {
      config: this.#config,
      messages,
      options: {
        signal: this.#cancel.signal,
        runId,
        keepsRetry: true,
        ...(tools ? { tools } : {}),
        ...(conversationId === undefined ? {} : { conversationId }),
      },
    })
  }

  /** One inference: its events without start and ending, which are the run's own. */
  async #answer(request: HostRequest, messages: MessagesInput): Promise<Result> {
    const { steps: step } = this.#record
    await this.#show([{ type: 'step-start', step, requestId: request.requestId }])
    const { environment = systemEnvironment } = this.#options
    const since = environment.elapsed()
    const result = await request.run((shown) => {
      const events = shown.filter((event) => event.type !== 'start' && !isEnding(event))
      return events.length > 0 ? this.#show(events) : undefined
    })
    this.#record.addAnswer(result)
    const model = modelOf(request.current)
    const seconds = (environment.elapsed() - since) / 1000
    this.#options.onAnswer?.({ result, messages, seconds, ...(model ? { model } : {}) })
    if (result.status === 'done') {
      const { finishReason, usage, messages: answered } = result
      await this.#show([{ type: 'step-finish', step, finishReason, usage, messages: answered }])
    }
    return result
  }

  async #afterAnswer(
    { messages, finishReason }: Result,
    request: OpenRequest | undefined,
  ): Promise<Next> {
    const calls = hostCalls(messages)
    const retry = retryOf(messages)
    if (calls.length === 0) {
      if (!retry) return { next: 'finish', finishReason }
      if (this.#isAtLimit(request)) throw new HostError(retry.code, retry.message)
      this.#record.addMessage(askAgain(retry.message))
      return { next: 'step' }
    }
    const tools = request?.outcome?.tools ?? []
    const own = calls.filter((call) => !isClientCall(call, tools))
    const pending = request && own.length > 0 ? await this.#calls.run(own, request) : []
    this.#record.suspend(pending)
    this.#relaxToolChoice()
    if (pending.length > 0 || own.length < calls.length || this.#isAtLimit(request)) {
      return { next: 'finish', finishReason: 'tool-calls' }
    }
    return { next: 'step' }
  }

  /** A choice that forces a call would force one in every step; it is meant for the first. */
  #relaxToolChoice(): void {
    const choice = this.#config.tool_choice ?? this.#core.config.tool_choice
    if (choice !== undefined && choice !== 'auto' && choice !== 'none') {
      this.#config = { ...this.#config, tool_choice: 'auto' }
    }
  }

  #isAtLimit(request: OpenRequest | undefined): boolean {
    const config: Config = request?.resolved.config ?? {}
    return this.#record.steps >= (this.#options.maxSteps ?? limitsOf(config).max_rounds)
  }

  async #finished(finishReason: FinishReason): Promise<RunResult> {
    const ending = { status: 'done', finishReason } as const
    const { usage, messages } = this.#record.result(ending)
    await this.#show([{ type: 'finish', finishReason, usage, messages }])
    return this.#record.result(ending)
  }

  async #failed({ status, finishReason, error }: RunEnding): Promise<RunResult> {
    const failure = error ?? new HostError('PROVIDER_FAILED', 'The request failed.')
    await this.#show([
      status === 'aborted'
        ? { type: 'abort', reason: failure.message }
        : { type: 'error', error: failure.toJSON() },
    ])
    return this.#record.result({ status, finishReason, error: failure })
  }

  #aborted(): RunEnding {
    const error = abortError(this.#cancel.signal)
    return { status: 'aborted', finishReason: 'other', error }
  }
}

function modelOf(request: OpenRequest | undefined): RunAnswer['model'] {
  return request && { info: request.modelInfo ?? {}, config: request.resolved.config }
}

/** Messages as a list; each request checks what it is given. */
function listOf(given: MessagesInput): readonly Message[] {
  return Array.isArray(given) ? given : toMessages(given)
}

/** Nobody said it: whoever shows the history leaves it out. */
function askAgain(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }], metadata: { insertedBy: 'host' } }
}

function failedBy(error: unknown): RunEnding {
  return { status: 'failed', finishReason: 'error', error: toHostError(error) }
}
