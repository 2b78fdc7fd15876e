import type { OpenedConfig } from '@braidwork/core/internal'
import { limitsOf } from '@braidwork/plugin/internal'
import { bindingOf, type PendingApproval } from '../approvals.ts'
import type { Environment } from '../environment.ts'
import { isQuestion } from './question-calls.ts'
import { inputOf, type ToolCall } from './tool-call.ts'

interface Asked {
  readonly record: { readonly runId: string }
  readonly environment: Pick<Environment, 'newId'>
  readonly expiresAt: number
}

/** The approvals for which calls wait. */
export function pendingApprovals(
  calls: readonly ToolCall[],
  { resolved }: OpenedConfig,
  { record, environment }: Pick<Asked, 'record'> & { readonly environment: Environment },
): readonly PendingApproval[] {
  const expiresAt = environment.now() + limitsOf(resolved.config).approval * 1000
  return calls.flatMap((call) => pendingApproval(call, { record, environment, expiresAt }) ?? [])
}

/** The approval for which a call waits. Undefined for a call without a tool. */
function pendingApproval(
  call: ToolCall,
  { record, environment, expiresAt }: Asked,
): PendingApproval | undefined {
  const { part, tool, hooks, asked } = call
  if (!tool) return undefined
  const { callId, name } = part
  const input = asked ? { ...asked, arguments: inputOf(call) } : inputOf(call)
  return {
    approvalId: environment.newId('approval'),
    callId,
    name,
    input,
    binding: bindingOf(record.runId, { ...part, input }, tool),
    expiresAt,
    ...(hooks ? { hooks } : {}),
    ...(asked || isQuestion(tool) ? { isQuestion: true } : {}),
  }
}
