import type { Host } from '@braidwork/core'
import {
  allowListeners,
  assertSameVersion,
  type EventSource,
  EventStream,
  hostCalls,
  linkSignals,
  retryOf,
  type Sink,
} from '@braidwork/core/internal'
import {
  HostError,
  type Message,
  type PartialEvent,
  type RunEventBody,
  type Termination,
} from '@braidwork/plugin'
import { ChildRuns } from './children/index.ts'
import { enter } from './entry.ts'
import { Leg } from './leg.ts'
import { type Answered, type Called, type Next, type NextStep, over, type StepEnd } from './next.ts'
import { OpenedModels } from './opened-models.ts'
import type { PhaseFacts } from './phases/index.ts'
import { refusedRun } from './refused-run.ts'
import {
  abortedEnding,
  asksOn,
  endingAfter,
  endingEvent,
  isStepLimit,
  naturalEnd,
  reasonWithCalls,
  SUSPENDED,
  terminationOf,
} from './run-endings.ts'
import { begunWith, callOptionsOf, objectIn, type RunOptions } from './run-options.ts'
import { RunRecord } from './run-record.ts'
import type { RunEnding, RunResult, RunStream } from './run-result.ts'
import { StepRequests } from './step-requests.ts'
import { CallRunner, isClientCall } from './tool-calls/index.ts'

/**
 * Runs an agent: each step sends one request to the model, runs the tool calls of the response, and appends their
 * results to the messages. The run ends when a complete response has no tool calls, when a stop condition is met
 * (`maxSteps` is one), when a feature ends it, or when the client has to answer a call. It has exactly one ending.
 * A call of a tool whose policy is `ask` suspends the run. The other calls still run, and then the run finishes
 * with `tool-calls`. To continue, pass `result.suspension` and the verdicts as `resume`.
 * With an option that is not what it must be, it asks nothing and ends with OPTION_INVALID.
 * @throws {HostError} PACKAGE_MISMATCH, if the host is of another version, or OPTION_INVALID, if it is none
 */
export function run(host: Host, options: RunOptions): RunStream {
  assertSameVersion(host, '@braidwork/agent')
  const given = objectIn(options)
  const refused = refusedRun(given)
  if (refused) return refused
  const order = begunWith(given)
  const record = RunRecord.of(order)
  return new EventStream(new Run(host, order, record), record.observedBy(order.onEvent))
}

/** The loop. Each step asks five questions in turn: steer, transform, stop, gate, after. */
class Run implements EventSource<RunEventBody, RunResult> {
  readonly #record: RunRecord
  readonly #options: RunOptions
  readonly #models: OpenedModels
  readonly #requests: StepRequests
  readonly #calls: CallRunner
  readonly #cancel = new AbortController()
  #leg: Leg | undefined
  #sink: Sink<readonly RunEventBody[]> = () => undefined

  constructor(host: Host, options: RunOptions, record: RunRecord) {
    this.#options = options
    this.#record = record
    const { signal } = this.#cancel
    const onAnswer: RunOptions['onAnswer'] = (answer) => {
      this.#leg?.count(answer)
      options.onAnswer?.(answer)
    }
    const sink: Sink<readonly RunEventBody[]> = (events) => this.#sink(events)
    const emit = (event: PartialEvent) => this.#calls.emitOfTool(event)
    const children = new ChildRuns({ options, record, signal, onAnswer, leg: () => this.#leg })
    const own = { ...options, onAnswer, tools: [...(options.tools ?? []), ...children.tools] }
    this.#models = new OpenedModels({ host, options: own, record, cancel: this.#cancel, emit })
    this.#requests = new StepRequests({ host, record, models: this.#models, signal, options: own })
    const calling = { record, signal, sink, children, models: this.#requests.forTools }
    this.#calls = new CallRunner({ ...calling, ...callOptionsOf(options) })
    // Each running call adds a listener to this signal. Node would warn of a leak at the eleventh.
    allowListeners(signal)
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
      while (next.next === 'step' && !signal.aborted) next = await this.#step(next)
      const ending = next.next === 'step' || signal.aborted ? abortedEnding(signal) : next.ending
      return await this.#end(ending)
    } catch (error) {
      return await this.#end(endingAfter(error, signal))
    } finally {
      unlink()
      await this.#leg?.end()
      this.#models.end()
    }
  }

  /** One step: what the user has said, a request to the model, and the calls of its answer. */
  async #step({ requestId: id, isAgain }: NextStep): Promise<Next> {
    const requestId = id ?? this.#record.newRequestId()
    const leg = await this.#open()
    const begun = isAgain ? leg.phases.at('step_start') : this.#beginStep(leg, requestId)
    const ended = (await begun) ?? (await leg.phases.at('before_inference'))
    if (ended) return over('stop', ended)
    const { opened, result } = await this.#requests.send(requestId, this.#sink)
    leg.opened = opened
    const { status, finishReason, usage, messages } = result
    if (status !== 'done') return { next: 'end', ending: result }
    const { steps: step } = this.#record
    await this.#sink([{ type: 'step-finish', step, finishReason, usage, messages }])
    leg.progress.addAnswer(messages)
    return this.#afterAnswer({ leg, requestId, result })
  }

  /** Steer: begins a step, and lets in what the user has said meanwhile. */
  async #beginStep({ phases }: Leg, requestId: string): Promise<Termination | undefined> {
    await this.#sink([{ type: 'step-start', step: this.#record.beginStep(), requestId }])
    await this.#options.steering?.take(async (said) => {
      await this.#sink(said.map((message) => ({ type: 'steering', message })))
      for (const message of said) this.#record.addMessage(message)
    })
    return phases.at('step_start')
  }

  /** Stop: asks the features and the stop conditions, and goes on with what the answer wants. */
  async #afterAnswer(answered: Answered): Promise<Next> {
    const { leg, result } = answered
    const { messages: answer } = result
    const calls = hostCalls(answer)
    const own = calls.filter((call) => !isClientCall(call, leg.opened))
    const isAll = own.length === calls.length && !this.#options.call
    const goesOn = calls.length === 0 ? this.#hasMore(answer) : isAll
    const requested = await leg.phases.at('after_inference', { answer, calls: own })
    const ended = requested ?? leg.stopped({ answer, calls }, goesOn)
    return calls.length === 0
      ? this.#afterText(answered, ended)
      : this.#afterCalls({ ...answered, calls, own }, ended)
  }

  /** After an answer without calls, the run is over, unless the answer or the user wants another step. */
  #afterText({ leg, result }: Answered, ended?: Termination): Promise<Next> {
    const { messages: answer, finishReason } = result
    const retry = retryOf(answer)
    if (retry && isStepLimit(ended)) throw new HostError(retry.code, retry.message)
    if (retry && !ended) this.#record.askAgain(retry.message)
    const done = this.#hasMore(answer) ? undefined : naturalEnd(answer)
    return this.#endStep(leg, { answer }, { finishReason, ended: ended ?? done })
  }

  /** Whether another step follows an answer without calls: the answer asks for one, or the user has said something. */
  #hasMore(answer: readonly Message[]): boolean {
    return asksOn(answer, this.#record.messages) || this.#options.steering?.hasMessages === true
  }

  /** Gate: runs the calls of an answer, unless the run stops before. In its last round, they still run. */
  async #afterCalls({ calls, own, ...answered }: Called, ended?: Termination): Promise<Next> {
    const { leg, result } = answered
    const facts = { answer: result.messages, calls: own }
    const toRun = () => leg.phases.at('before_tool_execute', facts)
    const scope = { ...answered, opened: leg.opened, toRun }
    const { pending, results, stopped } = await (ended && !isStepLimit(ended)
      ? this.#calls.refuse(own, scope, ended)
      : this.#calls.run(own, scope))
    leg.progress.addResults(stopped || pending.length > 0 ? [] : results)
    this.#record.suspend(pending)
    this.#requests.relaxToolChoice(leg.opened, calls)
    const isOpen = pending.length > 0 || own.length < calls.length
    const finishReason = pending.length > 0 ? 'tool-calls' : reasonWithCalls(result)
    const end = { finishReason, ended: stopped ?? (isOpen ? SUSPENDED : ended) }
    return this.#afterResults(leg, { ...facts, results }, end)
  }

  /** After: the results are there, and the next step follows. */
  async #afterResults(leg: Leg, facts: PhaseFacts, end: StepEnd): Promise<Next> {
    const { ended } = end
    const requested =
      ended === SUSPENDED ? undefined : await leg.phases.at('after_tool_execute', facts)
    return this.#endStep(leg, facts, { ...end, ended: ended ?? requested })
  }

  async #endStep(leg: Leg, facts: PhaseFacts, { finishReason, ended }: StepEnd): Promise<Next> {
    const requested = ended === SUSPENDED ? undefined : await leg.phases.at('step_end', facts)
    await leg.tellState()
    const termination = ended ?? requested ?? leg.exhausted
    if (!termination && this.#options.call) return over('stop', { reason: 'natural_end' })
    return termination ? over(finishReason, termination) : { next: 'step' }
  }

  /** Begins a run or a further leg of it, or goes on where the run was interrupted. */
  async #enter(): Promise<Next> {
    const order = { options: this.#options, record: this.#record, sink: this.#sink }
    const parts = { calls: this.#calls, requests: this.#requests, models: this.#models }
    const point = await enter({ ...order, ...parts, open: () => this.#open() })
    const { leg, at } = point
    if (at === 'answer') return this.#afterAnswer(point)
    if (at === 'results') return this.#afterResults(leg, point.facts, point.end)
    if (at === 'step') return { next: 'step', isAgain: true }
    const ended = (await leg.phases.at('run_start')) ?? leg.spentAbove
    return ended ? over('stop', ended) : { next: 'step', requestId: point.requestId }
  }

  /** Opens the leg once, for all its steps. */
  async #open(): Promise<Leg> {
    if (this.#leg) return this.#leg
    const { signal } = this.#cancel
    const parts = { options: this.#options, record: this.#record, signal, sink: this.#sink }
    this.#leg = await Leg.open(await this.#models.open(), { ...parts, calls: this.#calls })
    await this.#leg.phases.activate()
    return this.#leg
  }

  /** Tells the ending. A hook of `run_end` that fails makes a failure of a success. */
  async #end(ending: RunEnding): Promise<RunResult> {
    const { signal } = this.#cancel
    let told = ending
    try {
      const isOver = !signal.aborted && !this.#record.isWaiting
      if (isOver) await this.#leg?.phases.at('run_end', { termination: terminationOf(ending) })
    } catch (error) {
      if (ending.status === 'done') told = endingAfter(error, signal)
    }
    // Who cancels a run does not wait for what its features do then.
    if (!signal.aborted) await this.#leg?.end()
    this.#options.steering?.end()
    await this.#sink([endingEvent(told, this.#record.result(told))])
    await this.#leg?.end()
    return this.#record.result(told, this.#leg?.left)
  }
}
