import { setMaxListeners } from 'node:events'
import type { Host, Result } from '@braidwork/core'
import {
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
  type PartialEvent,
  type RunEvent,
  type RunEventBody,
  toMessages,
} from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import type { Resumption } from './approvals.ts'
import { systemEnvironment } from './environment.ts'
import { type Interruption, isInterruption, type LeftCalls } from './interruption.ts'
import { OpenedModels } from './opened-models.ts'
import { abortedEnding, endingAfter, failureEvent } from './run-endings.ts'
import type { RunOptions } from './run-options.ts'
import {
  askAgain,
  type RunEnding,
  RunRecord,
  type RunResult,
  resumptionEvents,
} from './run-record.ts'
import { StepRequests } from './step-requests.ts'
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
  | { readonly next: 'step'; readonly requestId?: string; readonly isAgain?: boolean }
  | { readonly next: 'finish'; readonly finishReason: FinishReason }

/** A step after its response has arrived. */
interface Answered {
  readonly opened: OpenedConfig
  readonly requestId: string
  readonly result: Pick<Result, 'messages' | 'finishReason'>
  /** How far its calls had come, if the run was interrupted after the response. */
  readonly left?: LeftCalls
}

class Run implements EventSource<RunEventBody, RunResult> {
  readonly #record: RunRecord
  readonly #options: RunOptions
  readonly #models: OpenedModels
  readonly #requests: StepRequests
  readonly #calls: CallRunner
  readonly #cancel = new AbortController()
  #sink: Sink<readonly RunEventBody[]> = () => undefined

  constructor(host: Host, options: RunOptions, record: RunRecord) {
    this.#options = options
    this.#record = record
    const { signal } = this.#cancel
    const emit = (event: PartialEvent) => this.#calls.emitOfTool(event)
    this.#models = new OpenedModels({ host, options, record, signal, emit })
    this.#requests = new StepRequests({ host, options, record, models: this.#models, signal })
    const { environment = systemEnvironment } = options
    this.#calls = new CallRunner({
      record,
      environment,
      signal,
      sink: (events) => this.#sink(events),
      committed: options.committed,
      late: options.late,
    })
    // Each running call adds a listener to this signal. Node would warn of a leak at the eleventh.
    setMaxListeners(0, signal)
  }

  cancel(reason: string): void {
    this.#cancel.abort(reason)
  }

  async run(sink: Sink<readonly RunEventBody[]>): Promise<RunResult> {
    this.#sink = sink
    const { signal } = this.#cancel
    let unlink: () => void = () => undefined
    try {
      unlink = linkSignals([this.#options.signal], this.#cancel)
      let next = await this.#enter()
      while (next.next === 'step') {
        const { requestId = newRequestId(), isAgain = false } = next
        if (!isAgain) await this.#beginStep(requestId)
        const { opened, result } = await this.#answer(requestId)
        if (result.status !== 'done') return await this.#failed(result)
        next = await this.#afterAnswer({ opened, requestId, result })
        if (signal.aborted) return await this.#failed(abortedEnding(signal))
      }
      return await this.#finished(next.finishReason)
    } catch (error) {
      return await this.#failed(endingAfter(error, signal))
    } finally {
      unlink()
      this.#models.end()
    }
  }

  /** Begins a run or a further leg of it, or goes on where the run was interrupted. */
  async #enter(): Promise<Next> {
    const { resume } = this.#options
    if (!resume) {
      const requestId = newRequestId()
      await this.#beginLeg(requestId)
      return { next: 'step', requestId }
    }
    if (isInterruption(resume)) return this.#goOn(resume)
    const opened = await this.#beginLeg(this.#record.runId)
    await opened.offerFor(toMessages(this.#options.messages))
    return this.#resume(resume, opened)
  }

  /** Runs the calls that waited for approvals, with the tools that the config offers now. */
  async #resume(resumption: Resumption, opened: OpenedConfig, left?: LeftCalls): Promise<Next> {
    await this.#calls.resume(resumption, { opened, ...(left ? { left } : {}) })
    this.#requests.relaxToolChoice(opened, resumption.approvals)
    return { next: 'step' }
  }

  /** Goes on with the leg of a process that has ended. LT-10 */
  async #goOn(left: Interruption): Promise<Next> {
    const { runId } = this.#record
    const { interrupted, calls, hasBegun } = left
    const opened = hasBegun ? await this.#models.open() : await this.#beginLeg(runId)
    this.#record.restore(left)
    await opened.offerFor([...toMessages(this.#options.messages), ...left.messages])
    await this.#sink(resumptionEvents(left))
    if (hasBegun) await this.#sink(this.#models.toldOf(opened, calls.tools))
    if (interrupted.at === 'start') return { next: 'step' }
    if (interrupted.at === 'approvals') return this.#resume(interrupted.resumption, opened, calls)
    this.#requests.relaxToolChoice(opened, hostCalls(left.messages))
    if (interrupted.at === 'answer') return { next: 'step', isAgain: true }
    return this.#afterAnswer({ opened, requestId: runId, result: interrupted, left: calls })
  }

  /** Tells the start of a leg, its model, and the tools that the config has for it. LR-01 */
  async #beginLeg(requestId: string): Promise<OpenedConfig> {
    await this.#sink([{ type: 'start', requestId }])
    const opened = await this.#models.open()
    await this.#sink(this.#models.toldOf(opened))
    return opened
  }

  /** Asks the model. */
  async #answer(requestId: string): Promise<{ opened: OpenedConfig; result: Result }> {
    const { opened, result } = await this.#requests.send(requestId, this.#sink)
    const { status, finishReason, usage, messages } = result
    if (status === 'done') {
      const { steps: step } = this.#record
      await this.#sink([{ type: 'step-finish', step, finishReason, usage, messages }])
    }
    return { opened, result }
  }

  async #beginStep(requestId: string): Promise<void> {
    await this.#sink([{ type: 'step-start', step: this.#record.beginStep(), requestId }])
  }

  async #afterAnswer({ result, ...scope }: Answered): Promise<Next> {
    const { opened } = scope
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
    const pending = own.length > 0 ? await this.#calls.run(own, scope) : []
    this.#record.suspend(pending)
    this.#requests.relaxToolChoice(opened, calls)
    if (pending.length > 0 || own.length < calls.length || this.#isAtLimit(opened)) {
      return { next: 'finish', finishReason: 'tool-calls' }
    }
    return { next: 'step' }
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

  async #failed({
    error = new HostError('PROVIDER_FAILED', 'The request failed.'),
    ...ending
  }: RunEnding): Promise<RunResult> {
    const failed = { ...ending, error }
    await this.#sink([failureEvent(failed)])
    return this.#record.result(failed)
  }
}
