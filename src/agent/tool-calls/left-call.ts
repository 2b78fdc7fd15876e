import { type CallOutcome, canonical, failure } from '@braidwork/core/internal'
import type { InventoryTool, ToolCallPart, ToolResultPart, ToolSafety } from '@braidwork/plugin'
import type { LeftCalls } from '../interruption.ts'
import type { HookScope } from './hooks.ts'
import { prepareCall } from './phases.ts'
import { ended, plannedCall, resultPart, type ToolCall } from './tool-call.ts'

/**
 * Takes a call of an interrupted run through the phases before it runs. A call that began runs again only if it has no
 * further effect then; the tool must be the one that the model called. LT-10
 */
export async function prepareLeft(
  part: ToolCallPart,
  left: LeftCalls,
  scope: HookScope,
): Promise<ToolCall> {
  const unknown = unrepeatable(part, left)
  if (unknown) return unknown
  if (isUnchanged(part.name, left.tools, scope.opened.inventory)) return prepareCall(part, scope)
  const message = `The tool "${part.name}" was removed or changed after it was called.`
  const outcome = left.begun.has(part.callId)
    ? unknownOutcome('was interrupted')
    : failure('policy_blocked', message)
  return ended(plannedCall(part), outcome)
}

/** A call that began and must not run again, ended. Undefined for any other call. */
export function unrepeatable(part: ToolCallPart, { begun }: LeftCalls): ToolCall | undefined {
  const safety = begun.get(part.callId)
  if (!safety || isRepeatable(safety)) return undefined
  return ended(plannedCall(part), unknownOutcome('was interrupted'))
}

/** The results of an interrupted step in the order of its calls: those from before, and those of `done`. */
export function allResults(
  done: readonly ToolCall[],
  asked: readonly ToolCallPart[],
  { results }: LeftCalls,
): readonly ToolResultPart[] {
  const all = new Map([
    ...results,
    ...done.map((call) => [call.part.callId, resultPart(call)] as const),
  ])
  return asked.flatMap(({ callId }) => all.get(callId) ?? [])
}

/** The outcome of a call that began in a process that has gone. @param verb what became of its run */
export function unknownOutcome(verb: string): CallOutcome {
  return failure(
    'outcome_unknown',
    `The run ${verb} while the call ran; whether the call took effect is not known.`,
  )
}

function isRepeatable({ is_read_only, is_idempotent }: ToolSafety): boolean {
  return is_read_only === true || is_idempotent === true
}

/** Whether a tool is now as it was told; a name that was and is unknown counts as unchanged. LR-17 */
function isUnchanged(
  name: string,
  told: readonly InventoryTool[],
  present: readonly InventoryTool[],
): boolean {
  return identityOf(name, told) === identityOf(name, present)
}

function identityOf(name: string, tools: readonly InventoryTool[]): string {
  const tool = tools.find(({ tool_name }) => tool_name === name)
  return canonical([tool?.plugin, tool?.metadata_ref, tool?.input_schema])
}
