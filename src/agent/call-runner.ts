import type { OpenedConfig, Sink, ToolExecution } from '@braidwork/core/internal'
import {
  EventChecker,
  type PartialEvent,
  type RunEventBody,
  type ToolCallPart,
  type ToolResultPart,
} from '@braidwork/plugin'
import { limitsOf } from '@braidwork/plugin/internal'
import {
  type AnsweredCall,
  answeredCalls,
  bindingOf,
  type PendingApproval,
  type Resumption,
} from './approvals.ts'
import type { Environment } from './environment.ts'
import type { RunRecord } from './run-record.ts'
import { executeAnswered, executeCall, groupCalls, toolToApprove } from './tool-calls.ts'

/** The dependencies of a {@link CallRunner}. */
export interface CallRunnerParts {
  readonly record: RunRecord
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly sink: Sink<readonly RunEventBody[]>
}

/** The tool calls of one step, with the opened config that offered their tools. */
export interface CalledTools {
  readonly calls: readonly ToolCallPart[]
  readonly opened: OpenedConfig
  readonly requestId: string
}

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

  /** Runs the calls that need no approval. Returns the pending approvals of the others. */
  async run({ calls, opened, requestId }: CalledTools): Promise<readonly PendingApproval[]> {
    const { sink } = this.#parts
    const pending = await this.#pendingOf(calls, opened)
    const waiting = new Set(pending.map(({ callId }) => callId))
    const ready = calls.filter(({ callId }) => !waiting.has(callId))
    const results: ToolResultPart[] = []
    for (const group of groupCalls(ready, opened)) {
      await sink(group.map((call) => this.#startOf(call)))
      const ended = await Promise.all(
        group.map((call) =>
          this.#end(call, (execution) => executeCall(call, opened, { ...execution, requestId })),
        ),
      )
      for (const result of ended) results.push(result)
    }
    this.#addResults(results)
    if (pending.length > 0) await sink(pending.map((approval) => this.#requirementOf(approval)))
    return pending
  }

  /** Runs the approved calls of a suspended run and refuses the rest. */
  async resume(resumption: Resumption, opened: OpenedConfig): Promise<void> {
    const { sink, environment, record } = this.#parts
    const { runId } = record
    const answered = answeredCalls(resumption, environment.now())
    await sink(answered.map((call) => this.#resolutionOf(call)))
    const results: ToolResultPart[] = []
    for (const one of answered) {
      const call = { type: 'tool-call', ...callOf(one) } as const
      if (one.approved) await sink([this.#startOf(call)])
      const waited = { call, runId, answered: one }
      results.push(await this.#end(call, (execution) => executeAnswered(waited, opened, execution)))
    }
    this.#addResults(results)
  }

  #addResults(results: readonly ToolResultPart[]): void {
    if (results.length > 0) this.#parts.record.addMessage({ role: 'tool', parts: results })
  }

  async #pendingOf(
    calls: readonly ToolCallPart[],
    opened: OpenedConfig,
  ): Promise<readonly PendingApproval[]> {
    const { record, environment } = this.#parts
    const expiresAt = environment.now() + limitsOf(opened.resolved.config).approval * 1000
    const pending: PendingApproval[] = []
    for (const call of calls) {
      const tool = await toolToApprove(call, opened)
      if (!tool) continue
      const { callId, name, input } = call
      const binding = bindingOf(record.runId, call, tool)
      const approvalId = environment.newId('approval')
      pending.push({ approvalId, callId, name, input, binding, expiresAt })
    }
    return pending
  }

  async #end(
    call: ToolCallPart,
    execute: (execution: ToolExecution) => Promise<ToolResultPart>,
  ): Promise<ToolResultPart> {
    const result = await execute(this.#executionOf(call))
    this.#emit({ type: 'tool-execution-end', callId: call.callId, result })
    return result
  }

  #executionOf({ callId }: ToolCallPart): ToolExecution {
    const { record, signal } = this.#parts
    return {
      signal,
      onProgress: (progress) => this.#emit({ type: 'tool-execution-progress', callId, progress }),
      emit: (event) => this.emitOfTool(event),
      warn: (message) => record.warn(message),
    }
  }

  /**
   * Sends an event that a tool emitted, without passing it through the plugin chain.
   * @throws {HostError} EVENTS_INVALID
   */
  emitOfTool(event: PartialEvent): void {
    this.#toolEvents.check(event, 'plugin')
    this.#emit(event)
  }

  #startOf({ callId, name, input }: ToolCallPart): RunEventBody {
    return { type: 'tool-execution-start', callId, name, input }
  }

  #requirementOf({ binding: _, expiresAt, ...approval }: PendingApproval): RunEventBody {
    return {
      type: 'approval-required',
      ...approval,
      expiresAt: new Date(expiresAt).toISOString(),
    }
  }

  #resolutionOf({ approval, approved, reason }: AnsweredCall): RunEventBody {
    const { approvalId, callId } = approval
    return {
      type: 'approval-resolved',
      approvalId,
      callId,
      approved,
      ...(reason === undefined ? {} : { reason }),
    }
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

function callOf({ approval: { callId, name, input } }: AnsweredCall) {
  return { callId, name, input }
}
