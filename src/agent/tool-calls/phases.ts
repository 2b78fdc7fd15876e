import { failure, isOffered, type OpenedConfig, unknownTool } from '@braidwork/core/internal'
import type { ToolCallPart } from '@braidwork/plugin'
import { messageOf } from '@braidwork/plugin/internal'
import { type AnsweredCall, bindingOf } from '../approvals.ts'
import { type Permission, permissionOf } from '../policy/index.ts'
import { questionFault } from '../questions.ts'
import {
  askGates,
  editCall,
  endedByGate,
  gateAgain,
  type HookScope,
  suspendedByGate,
} from './hooks.ts'
import { askedQuestion, isQuestion } from './question-calls.ts'
import { ended, inputOf, isFinal, moved, plannedCall, type ToolCall } from './tool-call.ts'

/**
 * How many calls may run together. Each adds a listener to the run's signal, which gets slower with every listener.
 */
const MOST_TOGETHER = 100

type Denial = Extract<Permission, { readonly decision: 'deny' }>

/** A phase before a call runs. Calls that have ended skip the phases that are left. LT-01 */
type Phase = (call: ToolCall, scope: HookScope) => ToolCall | Promise<ToolCall>

const BEFORE: readonly Phase[] = [
  resolveTool,
  validateArguments,
  editCall,
  askGates,
  decidePermission,
]

/** Takes a call through the phases before it runs. Afterwards it is approved, awaits an approval, or has ended. */
export async function prepareCall(part: ToolCallPart, scope: HookScope): Promise<ToolCall> {
  let call = plannedCall(part)
  for (const phase of BEFORE) {
    if (!isFinal(call)) call = await phase(call, scope)
  }
  return call
}

function resolveTool(call: ToolCall, { opened }: HookScope): ToolCall {
  const tool = opened.toolNamed(call.part.name)
  return tool ? { ...call, tool } : ended(call, unknownTool(call.part.name, opened.tools))
}

/** A call with invalid arguments fails for them, whatever the policy of its tool. */
async function validateArguments(call: ToolCall, { opened }: HookScope): Promise<ToolCall> {
  try {
    const fault =
      (await opened.faultOf(call.part)) ??
      (isQuestion(call.tool) ? await questionFault(call.part.input) : undefined)
    return fault === undefined
      ? moved(call, 'arguments_ready')
      : ended(call, failure('invalid_arguments', fault))
  } catch (error) {
    // The schema of the tool is broken. Other calls of the step are not affected.
    return ended(call, failure('execution_failed', messageOf(error)))
  }
}

/** The strictest of the policy and the gates decides: a gate never passes over a policy. LT-07 */
function decidePermission(call: ToolCall, scope: HookScope): ToolCall {
  const { gate, tool } = call
  const permission = permissionFor(call, scope)
  if (permission.decision === 'deny') return denied(call, permission)
  if (gate?.verdict === 'block') return endedByGate(call, gate)
  if (isQuestion(tool)) return askedQuestion(call, scope)
  if (gate?.verdict === 'suspend') return suspendedByGate(call, gate)
  if (permission.decision === 'ask') return moved(call, 'awaiting_approval')
  return gate ? endedByGate(call, gate) : moved(call, 'approved')
}

function permissionFor(call: ToolCall, scope: HookScope): Permission {
  const { part, tool } = call
  return permissionOf({ tool, name: part.name, input: inputOf(call) }, scope.restrictions?.())
}

function denied(call: ToolCall, { errorClass, reason }: Denial): ToolCall {
  return ended(call, failure(errorClass, reason))
}

/** Judges an approved call once more: a person's answer passes over neither a gate nor the rules of now. */
export async function judgeAgain(call: ToolCall, scope: HookScope): Promise<ToolCall> {
  if (call.state !== 'approved') return call
  const permission = permissionFor(call, scope)
  return permission.decision === 'deny' ? denied(call, permission) : gateAgain(call, scope)
}

/** A call of a suspended run, with the answer to its approval. */
export interface WaitedCall {
  readonly runId: string
  readonly answered: AnsweredCall
}

/** Applies a person's answer to a call: it is approved, or it ends. The approval covers only the call as it was. LR-15 */
export function applyAnswer(
  { runId, answered: { part, approval, approved, reason } }: WaitedCall,
  opened: OpenedConfig,
): ToolCall {
  const { name } = part
  const tool = opened.toolNamed(name)
  const call: ToolCall = { part, state: 'awaiting_approval', ...(tool ? { tool } : {}) }
  if (!approved) {
    const message = `The call was not approved.${reason ? ` ${reason}` : ''}`
    return ended(call, failure('approval_rejected', message))
  }
  const isThere = tool !== undefined && isOffered(tool)
  if (isThere && bindingOf(runId, part, tool) === approval.binding) return moved(call, 'approved')
  const message = isThere
    ? `The tool "${name}" or the arguments of the call were changed after the call was approved.`
    : `The tool "${name}" was removed after the call was approved.`
  return ended(call, failure('policy_blocked', message))
}

/**
 * Groups calls for execution: neighboring calls of tools that are safe to run concurrently share a group, and every
 * other call is alone. LR-12
 */
export function groupCalls(calls: readonly ToolCall[]): readonly (readonly ToolCall[])[] {
  const groups: ToolCall[][] = []
  let isOpen = false
  for (const call of calls) {
    const isSafe = !isFinal(call) && call.tool?.schema.safety?.is_concurrency_safe === true
    const last = groups.at(-1)
    if (isSafe && isOpen && last && last.length < MOST_TOGETHER) last.push(call)
    else groups.push([call])
    isOpen = isSafe
  }
  return groups
}

/**
 * Whether the client has to answer a call, because its tool was defined without `execute`. A call of a tool that is not on
 * offer is not the client's: it ends as denied, like one of any other tool.
 */
export function isClientCall({ name }: Pick<ToolCallPart, 'name'>, opened: OpenedConfig): boolean {
  const tool = opened.toolNamed(name)
  if (tool === undefined || tool.plugin !== undefined || tool.owner === 'subagent') return false
  return tool.execute === undefined && isOffered(tool)
}
