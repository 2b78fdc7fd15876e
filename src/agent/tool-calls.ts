import type { OfferedTool, OpenedConfig, ToolExecution } from '@braidwork/core/internal'
import type { ToolCallPart, ToolResultPart } from '@braidwork/plugin'
import { type AnsweredCall, bindingOf } from './approvals.ts'
import { policyOf } from './tool-policy.ts'

/**
 * How many calls may run together. Each adds a listener to the run's signal, which gets slower with every listener.
 */
const MOST_TOGETHER = 100

/**
 * Groups calls for execution: neighboring calls of tools that are safe to run concurrently share a group, and
 * every other call is alone.
 */
export function groupCalls(
  calls: readonly ToolCallPart[],
  opened: OpenedConfig,
): readonly (readonly ToolCallPart[])[] {
  const groups: ToolCallPart[][] = []
  let isOpen = false
  for (const call of calls) {
    const isSafe = opened.toolNamed(call.name)?.schema.safety?.is_concurrency_safe === true
    const last = groups.at(-1)
    if (isSafe && isOpen && last && last.length < MOST_TOGETHER) last.push(call)
    else groups.push([call])
    isOpen = isSafe
  }
  return groups
}

/** Whether the client has to answer a call, because its tool was defined without `execute`. */
export function isClientCall({ name }: ToolCallPart, opened: OpenedConfig): boolean {
  const tool = opened.toolNamed(name)
  return tool !== undefined && tool.plugin === undefined && tool.execute === undefined
}

/** Runs one call, unless the policy of its tool is `deny`. Every failure becomes an error result for the model. */
export async function executeCall(
  call: ToolCallPart,
  opened: OpenedConfig,
  execution: ToolExecution,
): Promise<ToolResultPart> {
  const isDenied = (await toolUnder('deny', call, opened)) !== undefined
  if (!isDenied || execution.signal?.aborted) return opened.execute(call, execution)
  return refusal(call, `The tool "${call.name}" is denied by the policy of this host.`)
}

/** Returns the tool of a call that needs a person's approval, or undefined if the call needs none. */
export function toolToApprove(
  call: ToolCallPart,
  opened: OpenedConfig,
): Promise<OfferedTool | undefined> {
  return toolUnder('ask', call, opened)
}

/** A call that waited for an approval. */
export interface WaitedCall {
  readonly call: ToolCallPart
  readonly runId: string
  readonly answered: AnsweredCall
}

/**
 * Runs a call that waited for an approval, if it was approved and its tool has not changed. Otherwise refuses it.
 */
export async function executeAnswered(
  { call, runId, answered: { approval, approved, reason } }: WaitedCall,
  opened: OpenedConfig,
  execution: ToolExecution,
): Promise<ToolResultPart> {
  if (!approved) return refusal(call, `The call was not approved.${reason ? ` ${reason}` : ''}`)
  const tool = opened.toolNamed(call.name)
  const isSame = tool !== undefined && bindingOf(runId, call, tool) === approval.binding
  if (isSame && policyOf(opened.resolved.config, tool) !== 'deny') {
    return opened.execute(call, execution)
  }
  return refusal(
    call,
    `The tool "${call.name}" was removed or changed after the call was approved.`,
  )
}

/**
 * Returns the tool of a call if its policy is `policy`. A call with invalid arguments has no policy: it fails for
 * its arguments.
 */
async function toolUnder(
  policy: 'ask' | 'deny',
  call: ToolCallPart,
  opened: OpenedConfig,
): Promise<OfferedTool | undefined> {
  const tool = opened.toolNamed(call.name)
  if (!tool || policyOf(opened.resolved.config, tool) !== policy) return undefined
  return (await opened.faultOf(call)) === undefined ? tool : undefined
}

function refusal({ callId, name }: ToolCallPart, output: string): ToolResultPart {
  return { type: 'tool-result', callId, name, output, isError: true }
}
