import { createHash } from 'node:crypto'
import type { OfferedTool } from '@braidwork/core/internal'
import { isObject, type ToolCallPart } from '@braidwork/plugin'

/** A call that waits for a person's answer. */
export interface PendingApproval {
  readonly approvalId: string
  readonly callId: string
  readonly name: string
  readonly input: unknown
  /** Hash of run, call, tool, its schema and the arguments: what is approved is this and nothing else. LR-15 */
  readonly binding: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A run that waits for approvals: what it takes to go on with it. */
export interface Suspension {
  readonly runId: string
  /** The number of its next event. */
  readonly seq: number
  readonly steps: number
  readonly approvals: readonly PendingApproval[]
}

/** What a person said. A call that nobody spoke of was not approved. */
export interface ApprovalVerdict {
  readonly approvalId: string
  readonly approved: boolean
  readonly reason?: string
  /** Milliseconds since 1970, where it was said before the run is taken up again; by default now. */
  readonly answeredAt?: number
}

/** A suspended run taken up again. */
export interface Resumption extends Suspension {
  readonly verdicts: readonly ApprovalVerdict[]
}

/** A call of a resumed run, with what was said of it. */
export interface AnsweredCall {
  readonly approval: PendingApproval
  readonly approved: boolean
  readonly reason?: string
}

/** The calls of a resumed run with their verdicts; what came too late, or not at all, is a no. */
export function answeredCalls(
  { approvals, verdicts }: Resumption,
  now: number,
): readonly AnsweredCall[] {
  return approvals.map((approval) => {
    const verdict = verdicts.find(({ approvalId }) => approvalId === approval.approvalId)
    if (!verdict) return { approval, approved: false, reason: 'Nobody answered.' }
    if ((verdict.answeredAt ?? now) >= approval.expiresAt) {
      return { approval, approved: false, reason: 'The answer came too late.' }
    }
    const { approved, reason } = verdict
    return { approval, approved, ...(reason === undefined ? {} : { reason }) }
  })
}

/** What ties an approval to one call of one tool as it is. */
export function bindingOf(runId: string, call: ToolCallPart, tool: OfferedTool): string {
  const { callId, input } = call
  const { plugin, ownName, schema } = tool
  const bound = { runId, callId, plugin: plugin?.name ?? null, ownName, schema, input }
  return createHash('sha256').update(canonical(bound)).digest('hex')
}

/** JSON with keys in order, whatever storage a value has been through. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .sort()
            .map((key) => [key, inner[key]]),
        )
      : inner,
  )
}
