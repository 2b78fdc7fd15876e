import {
  type CallOutcome,
  isNativeOutput,
  isOutputParts,
  type LateAnswers,
  type OfferedTool,
  resultOf,
} from '@braidwork/core/internal'
import type { LateAnswerEvent, ToolCallPart } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { editResult, type HookScope } from './hooks.ts'
import type { ToolCall } from './tool-call.ts'

/** Records what tools answer to calls that a run cancelled while they ran. */
export interface LateRecord {
  /** Aborts when nothing is recorded any more, for example because the process stops. */
  readonly until: AbortSignal
  /** Records the event. If it throws or its promise rejects, the log of the host has a warning. */
  readonly record: (event: LateAnswerEvent) => unknown
}

const NOTE = 'The call was interrupted while it ran. The tool answered afterwards:'

/**
 * Follows a call beyond its cancellation. A tool that is marked `interrupt_behavior: cancel` has no effects then, so
 * its calls are not followed. LR-03
 */
export function lateAnswers(
  call: ToolCall,
  { opened }: HookScope,
  late: LateRecord | undefined,
): LateAnswers | undefined {
  if (!late || !isBlocking(call.tool)) return undefined
  const { until } = late
  const scope = { opened, execution: { signal: until } }
  const record = async (answered: CallOutcome): Promise<void> => {
    const { outcome } = await editResult(call, answered, scope)
    const kept = await opened.kept(outcome, scope.execution)
    if (!until.aborted) await late.record(lateEvent(call.part, kept))
  }
  // The run may have given its result already, so only the log is left.
  const tell = (error: unknown) =>
    opened.warn(`The late answer of "${call.part.name}" is not recorded: ${messageOf(error)}`)
  return { until, take: (outcome) => void record(outcome).catch(tell) }
}

function isBlocking(tool: OfferedTool | undefined): boolean {
  return tool?.schema.safety?.interrupt_behavior !== 'cancel'
}

function lateEvent(part: ToolCallPart, outcome: CallOutcome): LateAnswerEvent {
  const { state, error } = outcome
  const result = resultOf(part, { ...outcome, output: interrupted(outcome.output) })
  return {
    type: 'tool-execution-late',
    callId: part.callId,
    result,
    state,
    ...(error ? { error } : {}),
  }
}

/** An output that tells the model that it came too late. */
function interrupted(output: unknown): unknown {
  if (typeof output === 'string') return `[${NOTE}]\n${output}`
  if (isOutputParts(output)) return [{ type: 'text', text: `[${NOTE}]` }, ...output]
  return { interrupted: NOTE, output: isNativeOutput(output) ? output.output : output }
}
