import type { Show } from '../chain/answer.ts'
import {
  EventChecker,
  type RunEventBody,
  type ToolCallPart,
  type ToolResultPart,
} from '../events/index.ts'
import type { HostCore } from '../host/core.ts'
import type { OpenRequest } from '../host/request.ts'
import { limitsOf } from '../plugin/internal.ts'
import {
  type AnsweredCall,
  answeredCalls,
  bindingOf,
  type PendingApproval,
  type Resumption,
} from './approvals.ts'
import type { Environment } from './environment.ts'
import type { RunRecord } from './run-record.ts'
import {
  executeAnswered,
  executeCall,
  groupCalls,
  type ToolRun,
  toolToApprove,
} from './tool-calls.ts'

/** What running the calls of a run takes. */
export interface CallRunnerParts {
  readonly core: HostCore
  readonly record: RunRecord
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly show: Show<RunEventBody>
}

/** Runs the calls of a run's steps: in order, neighbours together where they are safe, some after an approval. */
export class CallRunner {
  readonly #parts: CallRunnerParts
  /** Checks what tools emit, which no request does. */
  readonly #toolEvents = new EventChecker()

  constructor(parts: CallRunnerParts) {
    this.#parts = parts
  }

  /** Runs what may run; answers the calls that wait for approval. */
  async run(
    calls: readonly ToolCallPart[],
    request: OpenRequest,
  ): Promise<readonly PendingApproval[]> {
    const { show } = this.#parts
    const pending = await this.#pendingOf(calls, request)
    const waiting = new Set(pending.map(({ callId }) => callId))
    const ready = calls.filter(({ callId }) => !waiting.has(callId))
    const results: ToolResultPart[] = []
    for (const group of groupCalls(ready, request.outcome?.tools ?? [])) {
      await show(group.map((call) => this.#startOf(call)))
      const ended = await Promise.all(group.map((call) => this.#end(call, request)))
      for (const result of ended) results.push(result)
    }
    this.#addResults(results)
    if (pending.length > 0) await show(pending.map((approval) => this.#requirementOf(approval)))
    return pending
  }

  /** Runs, or refuses, the calls that a suspended run waited for. */
  async resume(resumption: Resumption, request: OpenRequest): Promise<void> {
    const { show, environment } = this.#parts
    const answered = answeredCalls(resumption, environment.now())
    await show(answered.map((call) => this.#resolutionOf(call)))
    const results: ToolResultPart[] = []
    for (const one of answered) {
      const call = { type: 'tool-call', ...callOf(one) } as const
      if (one.approved) await show([this.#startOf(call)])
      results.push(await this.#end(call, request, one))
    }
    this.#addResults(results)
  }

  #addResults(results: readonly ToolResultPart[]): void {
    if (results.length > 0) this.#parts.record.addMessage({ role: 'tool', parts: results })
  }

  async #pendingOf(
    calls: readonly ToolCallPart[],
    request: OpenRequest,
  ): Promise<readonly PendingApproval[]> {
    const { record, environment } = this.#parts
    const expiresAt = environment.now() + limitsOf(request.resolved.config).approval * 1000
    const pending: PendingApproval[] = []
    for (const call of calls) {
      const tool = await toolToApprove(call, request)
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
    request: OpenRequest,
    answered?: AnsweredCall,
  ): Promise<ToolResultPart> {
    const run = this.#toolRun(call, request)
    const { runId } = this.#parts.record
    const result = await (answered
      ? executeAnswered(call, answered, { ...run, runId })
      : executeCall(call, run))
    this.#emit({ type: 'tool-execution-end', callId: call.callId, result })
    return result
  }

  #toolRun({ callId }: ToolCallPart, request: OpenRequest): ToolRun {
    const { core, record, signal } = this.#parts
    return {
      request,
      signal,
      mask: core.secrets.textMask(request.resolved.config),
      onProgress: (progress) => this.#emit({ type: 'tool-execution-progress', callId, progress }),
      emit: (event) => {
        this.#toolEvents.check(event, 'plugin')
        this.#emit(event)
      },
      warn: (message) => record.warn(message),
    }
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

  /** Tells at once, and holds nobody up; a tool that works on after the ending has no reader any more. */
  #emit(event: RunEventBody): void {
    const { record, show } = this.#parts
    if (!record.isOver) void show([event])
  }
}

function callOf({ approval: { callId, name, input } }: AnsweredCall) {
  return { callId, name, input }
}
