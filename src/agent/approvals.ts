import type { OfferedTool } from '@braidwork/core/internal'
import type { KeptState, RunEventBody, ToolCallPart, ToolHookRecord } from '@braidwork/plugin'
import type { CompactedHistory } from './compaction/index.ts'
import { digestOf } from './digest.ts'

/** A tool call that waits for a person: to approve or refuse it, or to answer its question. */
export interface PendingApproval {
  readonly approvalId: string
  readonly callId: string
  readonly name: string
  /** The arguments as the call would run. */
  readonly input: unknown
  /** What features did to the call. */
  readonly hooks?: readonly ToolHookRecord[]
  /**
   * A SHA-256 hash of the run id, the call, the tool with its schema, and the arguments. The approval covers
   * exactly these. LR-15
   */
  readonly binding: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** The call asks a question. Its input is a {@link Question}, and the verdict has the answer as `value`. CT-31 */
  readonly isQuestion?: boolean
}

/** The data needed to resume a run that waits for approvals. */
export interface Suspension {
  readonly runId: string
  /** The sequence number that the run's next event will have. */
  readonly seq: number
  readonly steps: number
  readonly approvals: readonly PendingApproval[]
  /** What the run has reached so far. Absent if it has neither stop conditions nor state keys. */
  readonly kept?: KeptState
  /** What the run's compactions left of its messages. Absent if it has compacted nothing. */
  readonly compacted?: CompactedHistory
}

/** A person's answer to one approval or question. A call without a verdict counts as not approved. */
export interface ApprovalVerdict {
  readonly approvalId: string
  /** For a question: whether the person answers it. */
  readonly approved: boolean
  readonly reason?: string
  /** The answer to a question. */
  readonly value?: unknown
  /** When the person answered, in milliseconds since 1970. The default is the time at which the run resumes. */
  readonly answeredAt?: number
}

/** A suspended run together with the verdicts on its pending approvals. */
export interface Resumption extends Suspension {
  readonly verdicts: readonly ApprovalVerdict[]
}

/** A call of a resumed run together with its verdict. */
export interface AnsweredCall {
  readonly part: ToolCallPart
  readonly approval: PendingApproval
  readonly approved: boolean
  readonly reason?: string
  readonly value?: unknown
}

/** Pairs each pending call of a resumed run with its verdict. A missing or late verdict counts as a refusal. */
export function answeredCalls(
  { approvals, verdicts }: Resumption,
  now: number,
): readonly AnsweredCall[] {
  return approvals.map((approval) => {
    const { callId, name, input } = approval
    const call = { part: { type: 'tool-call', callId, name, input }, approval } as const
    const verdict = verdicts.find(({ approvalId }) => approvalId === approval.approvalId)
    if (!verdict) return { ...call, approved: false, reason: 'Nobody answered.' }
    if ((verdict.answeredAt ?? now) >= approval.expiresAt) {
      return { ...call, approved: false, reason: 'The answer came too late.' }
    }
    const { approved, reason, value } = verdict
    return { ...call, approved, value, ...(reason === undefined ? {} : { reason }) }
  })
}

/** Computes the hash that binds an approval to one call of one tool, with its present schema and arguments. */
export function bindingOf(runId: string, call: ToolCallPart, tool: OfferedTool): string {
  const { callId, input } = call
  const { plugin, ownName, schema } = tool
  return digestOf({ runId, callId, plugin: plugin?.name ?? null, ownName, schema, input })
}

/** The event of an approval that a call needs. */
export function requirementOf({
  binding: _,
  expiresAt,
  ...approval
}: PendingApproval): RunEventBody {
  return {
    type: 'approval-required',
    ...approval,
    expiresAt: new Date(expiresAt).toISOString(),
  }
}

const ASKING = { isQuestion: true }

/** The event of a person's answer. */
export function resolutionOf({ approval, approved, reason }: AnsweredCall): RunEventBody {
  const { approvalId, callId, isQuestion: asks } = approval
  return {
    type: 'approval-resolved',
    approvalId,
    callId,
    approved,
    ...(reason === undefined ? {} : { reason }),
    ...(asks ? ASKING : {}),
  }
}
