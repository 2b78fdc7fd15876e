import { failure, settle } from '@braidwork/core/internal'
import {
  EventChecker,
  type PartialEvent,
  type RunEventBody,
  type Termination,
  type ToolCallPart,
  type ToolResultPart,
} from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { answeredCalls, type Resumption, requirementOf, resolutionOf } from '../approvals.ts'
import type { LeftCalls } from '../interruption.ts'
import { expiryFault } from '../policy/index.ts'
import { stopText } from '../run-endings.ts'
import { answeredCall } from './answered-call.ts'
import { Batch } from './batch.ts'
import { editResult, type HookScope } from './hooks.ts'
import { lateAnswers } from './late-answers.ts'
import { allResults, prepareLeft, unrepeatable } from './left-call.ts'
import { askedMidway } from './midway.ts'
import { pendingApprovals } from './pending-approval.ts'
import { groupCalls, prepareCall } from './phases.ts'
import { type CallRunnerParts, type CallScope, type RunCalls, usageOf } from './run-calls.ts'
import {
  endEvent,
  ended,
  hasEffects,
  inputOf,
  isFinal,
  isWaiting,
  moved,
  plannedCall,
  resultPart,
  startEvent,
  type ToolCall,
} from './tool-call.ts'

/** What the progress of a call that asks agents says of itself. */
const OF_CHILD = { isChild: true } as const

/**
 * Runs the tool calls of a run's steps in order. Neighboring calls that are safe to run concurrently run together.
 * Calls whose policy is `ask` wait for an approval.
 */
export class CallRunner {
  readonly #parts: CallRunnerParts
  /** Checks the events that tools emit. Those events belong to no request, so no request checks them. */
  readonly #toolEvents = new EventChecker()

  constructor(parts: CallRunnerParts) {
    this.#parts = parts
  }

  /** The child runs that wait for a person. AL-23 */
  get waiting(): object | undefined {
    return this.#parts.children.waiting
  }

  /** Runs the calls that need no approval, and asks for the approvals of the others. */
  async run(calls: readonly ToolCallPart[], scope: CallScope): Promise<RunCalls> {
    const { left } = scope
    const hooks = this.#hookScope(scope)
    const prepared: ToolCall[] = []
    for (const call of calls) {
      if (left?.results.has(call.callId)) continue
      prepared.push(await (left ? prepareLeft(call, left, hooks) : prepareCall(call, hooks)))
    }
    const stopped = await scope.toRun?.()
    if (stopped) return this.refuse(calls, scope, stopped)
    const ran = await this.#runAll(
      prepared.filter((call) => !isWaiting(call)),
      scope,
    )
    return this.#settled([...ran, ...prepared.filter(isWaiting)], calls, scope)
  }

  /** Adds the results of the calls that have ended, and asks for what the others wait for. */
  async #settled(
    all: readonly ToolCall[],
    asked: readonly ToolCallPart[],
    scope: CallScope,
  ): Promise<RunCalls> {
    const results = this.#addResults(all.filter(isFinal), asked, scope.left)
    const pending = pendingApprovals(all.filter(isWaiting), scope.opened, this.#parts)
    const asking = pending.map((one) => ({ ...requirementOf(one), ...usageOf(one, this.#parts) }))
    if (asking.length > 0) await this.#parts.sink(asking)
    return { pending, results }
  }

  /** Ends calls that do not run, because the run stops. */
  async refuse(
    calls: readonly ToolCallPart[],
    { left }: CallScope,
    stopped: Termination,
  ): Promise<RunCalls> {
    const open = calls.filter(({ callId }) => !left?.results.has(callId))
    const outcome = failure('canceled', stopText(stopped))
    const done = open.map((part) => ended(plannedCall(part), outcome))
    await this.#parts.sink(done.map((call) => endEvent(call)))
    return { pending: [], results: this.#addResults(done, calls, left), stopped }
  }

  /** Runs the approved calls of a suspended run and refuses the rest. */
  async resume(resumption: Resumption, scope: CallScope): Promise<RunCalls> {
    const { sink, environment, record } = this.#parts
    const { left } = scope
    const answered = answeredCalls(resumption, environment.now())
    const untold = answered.filter(({ approval }) => !left?.resolved.has(approval.approvalId))
    await sink(untold.map(resolutionOf))
    const open = answered.filter(({ part }) => !left?.results.has(part.callId))
    const calls: ToolCall[] = []
    for (const one of open) {
      const waited = { runId: record.runId, answered: one }
      calls.push(
        (left && unrepeatable(one.part, left)) ??
          (await answeredCall(waited, this.#hookScope(scope))),
      )
    }
    const asked = answered.map(({ part }) => part)
    return this.#settled(await this.#runAll(calls, scope), asked, scope)
  }

  /** Adds the results of a step's calls to the run, in the order of the calls. */
  #addResults(
    done: readonly ToolCall[],
    asked: readonly ToolCallPart[],
    left?: LeftCalls,
  ): readonly ToolResultPart[] {
    const parts = left ? allResults(done, asked, left) : done.map(resultPart)
    if (parts.length > 0) this.#parts.record.addMessage({ role: 'tool', parts })
    return parts
  }

  /** Runs calls in groups. Returns them ended, in their order. */
  async #runAll(calls: readonly ToolCall[], scope: CallScope): Promise<readonly ToolCall[]> {
    using batch = new Batch(scope.opened, this.#parts.signal)
    const done: ToolCall[] = []
    for (const group of groupCalls(calls)) done.push(...(await this.#runGroup(group, scope, batch)))
    return done
  }

  async #runGroup(
    group: readonly ToolCall[],
    scope: CallScope,
    batch: Batch,
  ): Promise<readonly ToolCall[]> {
    const begun = await this.#begin(group.map((call) => batch.queued(this.#inScope(call))))
    return Promise.all(
      begun.map(async (call) => {
        const end = isFinal(call) ? call : await this.#execute(call, scope, batch)
        if (isWaiting(end)) return end
        this.#emit({
          ...endEvent(end, isFinal(call) ? undefined : call),
          ...usageOf(end.part, this.#parts),
        })
        batch.ended(end)
        return end
      }),
    )
  }

  /** A call that runs next, or has ended because the scope of the run has expired since it was judged. AL-07 */
  #inScope(call: ToolCall): ToolCall {
    const { identity, environment } = this.#parts
    const fault = isFinal(call) ? undefined : expiryFault(identity, environment.now())
    return fault === undefined ? call : ended(call, failure('policy_blocked', fault))
  }

  /**
   * Tells that calls run now. A call that may have effects runs only once that is stored. LT-10
   * @returns the calls, running, or ended because they cannot be stored
   */
  async #begin(group: readonly ToolCall[]): Promise<readonly ToolCall[]> {
    const { sink, committed, signal } = this.#parts
    const queued = group.filter((call) => !isFinal(call))
    if (queued.length === 0 || signal.aborted) return group
    // A call that goes on with a person's answer has told its start.
    await sink(queued.filter(({ answer }) => !answer).map(startEvent))
    try {
      if (committed && queued.some(hasEffects)) await settle(committed(), { signal })
    } catch (error) {
      if (signal.aborted) return group
      const message = `The call did not run, because it could not be stored: ${messageOf(error)}`
      const outcome = failure('dependency_unavailable', message)
      return group.map((call) => (isFinal(call) ? call : ended(call, outcome)))
    }
    return group.map((call) => (isFinal(call) ? call : moved(call, 'running')))
  }

  async #execute(call: ToolCall, scope: CallScope, batch: Batch): Promise<ToolCall> {
    const { part, tool, state, answer } = call
    if (state !== 'running' || !tool) return ended(call, batch.cancellation())
    const { callId } = part
    const hooks = this.#hookScope(scope, batch.signal)
    const { opened, execution, canAsk = true } = hooks
    const late = lateAnswers(call, hooks, this.#parts.late)
    const asked = { callId, input: inputOf(call), canAsk, ...(answer ? { answer } : {}) }
    const told = tool.owner === 'subagent' ? OF_CHILD : {}
    const tell = (progress: unknown) =>
      this.#emit({ type: 'tool-execution-progress', callId, progress, ...told })
    const running = { ...execution, ...(late ? { late } : {}), onProgress: tell }
    const { children, models } = this.#parts
    const askModel = models.askerFor({ callId, signal: batch.signal, tell })
    const outcome = await (children.attempt(asked, tool, running) ??
      opened.attempt({ call: { ...asked, askModel }, tool }, running))
    if (outcome.state === 'canceled') return ended(call, batch.outcomeOf(outcome))
    const waiting = await askedMidway(call, outcome, canAsk)
    if (waiting) return waiting
    const edited = await editResult(call, outcome, { opened, execution })
    const kept = await opened.kept(edited.outcome, execution)
    return ended(call, batch.outcomeOf(kept), edited.hooks ? { hooks: edited.hooks } : {})
  }

  #hookScope({ opened, requestId, leg }: CallScope, signal = this.#parts.signal): HookScope {
    const { record } = this.#parts
    const execution = {
      signal,
      emit: (event: PartialEvent) => this.emitOfTool(event),
      warn: (message: string) => record.warn(message),
      ...(requestId === undefined ? {} : { requestId }),
    }
    const { canAsk = true, rules, identity, environment } = this.#parts
    const restrictions = () => ({ rules, identity, now: environment.now() })
    const runFor = leg && ((plugin: string) => leg.phases.gateSnapshot(plugin))
    return { opened, execution, canAsk, restrictions, runFor }
  }

  /**
   * Sends an event that a tool emitted, without passing it through the plugin chain.
   * @throws {HostError} EVENTS_INVALID
   */
  emitOfTool(event: PartialEvent): void {
    this.#toolEvents.check(event, 'plugin')
    this.#emit(event)
  }

  /**
   * Sends an event without waiting for the reader. A tool that still works after the run's ending has no reader any
   * more, so its events are dropped.
   */
  #emit(event: RunEventBody): void {
    const { record, sink } = this.#parts
    if (!record.isOver) void sink([event])
  }
}
