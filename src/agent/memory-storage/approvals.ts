import type { Approval, ApprovalStorage, StoredAnswer } from '../storage/index.ts'
import type { Tables } from './tables.ts'
import { charge, jsonBytes } from './usage.ts'

export function memoryApprovals(tables: Tables): ApprovalStorage {
  const { approvals } = tables
  const owned = (owner: string, id: string): Approval | undefined => {
    const approval = approvals.get(id)
    return approval?.owner === owner ? approval : undefined
  }
  return {
    load: async (owner, id) => owned(owner, id),
    list: async (owner, runId) => approvalsOf(tables, runId).filter((one) => one.owner === owner),
    answer: async (owner, id, answer: StoredAnswer) => {
      const approval = owned(owner, id)
      if (!approval || approval.answer) return approval
      if (answer.answeredAt >= approval.expiresAt) return undefined
      const answered = { ...approval, answer }
      approvals.set(id, answered)
      grow(tables, answered, jsonBytes(answered) - jsonBytes(approval))
      return answered
    },
  }
}

/** Whether a run has an answered approval and none that can still be answered. */
export function isAnswered(tables: Tables, runId: string, now: number): boolean {
  const own = approvalsOf(tables, runId)
  const isOpen = own.some(({ answer, expiresAt }) => !answer && expiresAt > now)
  return !isOpen && own.some(({ answer }) => answer)
}

/** The approvals of a run, in the order of their calls. */
export function approvalsOf(tables: Tables, runId: string): readonly Approval[] {
  return tables.approvalsOf.of(runId).flatMap((id) => tables.approvals.get(id) ?? [])
}

/** Stores an approval unless its id exists. Returns whether it stored it. */
export function addApproval(tables: Tables, approval: Approval): boolean {
  if (tables.approvals.has(approval.id)) return false
  tables.approvals.set(approval.id, approval)
  tables.approvalsOf.add(approval.runId, approval.id)
  grow(tables, approval, jsonBytes(approval))
  return true
}

/** Counts what an approval adds to its run and owner. */
function grow(tables: Tables, { runId, owner }: Approval, bytes: number): void {
  const run = tables.runs.get(runId)
  if (run) run.bytes += bytes
  charge(tables, owner, { bytes })
}
