import type { Approval, ApprovalStorage, StoredAnswer } from '../../agent/storage/index.ts'
import type { Tables } from './tables.ts'

export function memoryApprovals({ approvals }: Tables): ApprovalStorage {
  const owned = (owner: string, id: string): Approval | undefined => {
    const approval = approvals.get(id)
    return approval?.owner === owner ? approval : undefined
  }
  return {
    create: async (given) => {
      for (const approval of given) approvals.set(approval.id, approval)
    },
    load: async (owner, id) => owned(owner, id),
    list: async (owner, runId) =>
      [...approvals.values()].filter((one) => one.runId === runId && one.owner === owner),
    answer: async (owner, id, answer: StoredAnswer) => {
      const approval = owned(owner, id)
      if (!approval || approval.answer) return approval
      if (answer.answeredAt >= approval.expiresAt) return undefined
      const answered = { ...approval, answer }
      approvals.set(id, answered)
      return answered
    },
  }
}
