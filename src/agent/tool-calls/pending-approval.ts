import { bindingOf, type PendingApproval } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import { isQuestion } from './question-calls.ts'
import { inputOf, type ToolCall } from './tool-call.ts'

export interface Asked {
  readonly record: { readonly runId: string }
  readonly environment: Pick<Environment, 'newId'>
  readonly expiresAt: number
}

/** The approval for which a call waits. Undefined for a call without a tool. */
export function pendingApproval(
  call: ToolCall,
  { record, environment, expiresAt }: Asked,
): PendingApproval | undefined {
  const { part, tool, hooks } = call
  if (!tool) return undefined
  const { callId, name } = part
  const input = inputOf(call)
  return {
    approvalId: environment.newId('approval'),
    callId,
    name,
    input,
    binding: bindingOf(record.runId, { ...part, input }, tool),
    expiresAt,
    ...(hooks ? { hooks } : {}),
    ...(isQuestion(tool) ? { isQuestion: true } : {}),
  }
}
