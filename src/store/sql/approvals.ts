import type { Approval } from '@braidwork/agent'
import { type ApprovalStorage, bytesOf, type StoredAnswer } from '@braidwork/agent/internal'
import { ifPresent, jsonIn, type Row, type SqlDatabase, type SqlSession } from './database.ts'
import { addCharge, type Charge, chargeAll } from './usage.ts'

export function sqlApprovals(database: SqlDatabase): ApprovalStorage {
  const load = async (owner: string, id: string): Promise<Approval | undefined> => {
    const [row] = await database.query('SELECT * FROM approvals WHERE id = ? AND owner = ?', [
      id,
      owner,
    ])
    return row && approvalIn(row)
  }
  return {
    load,
    create: (approvals) =>
      database.transaction(async (session) => {
        const charges = new Map<string, Charge>()
        const runs = new Map<string, number>()
        for (const [position, approval] of approvals.entries()) {
          if (!(await insertApproval(session, approval, position))) continue
          const bytes = bytesOf(JSON.stringify(approval))
          runs.set(approval.runId, (runs.get(approval.runId) ?? 0) + bytes)
          addCharge(charges, approval.owner, { bytes })
        }
        for (const [id, bytes] of runs) {
          await session.query('UPDATE runs SET bytes = bytes + ? WHERE id = ?', [bytes, id])
        }
        await chargeAll(session, charges)
      }),
    list: async (owner, runId) => {
      const rows = await database.query(
        'SELECT * FROM approvals WHERE run_id = ? AND owner = ? ORDER BY position',
        [runId, owner],
      )
      return rows.map(approvalIn)
    },
    answer: async (owner, id, answer) => {
      const [row] = await database.query(
        `UPDATE approvals SET answer = ?
          WHERE id = ? AND owner = ? AND answer IS NULL AND expires_at > ? RETURNING *`,
        [JSON.stringify(answer), id, owner, answer.answeredAt],
      )
      if (row) return approvalIn(row)
      const approval = await load(owner, id)
      return approval?.answer ? approval : undefined
    },
  }
}

/**
 * Inserts an approval unless its id exists. Returns whether it was inserted. Its position in the run comes from the
 * time of the request, so approvals of a later leg follow those of earlier ones.
 */
export async function insertApproval(
  session: SqlSession,
  given: Approval,
  position: number,
): Promise<boolean> {
  const { answer, ...approval } = given
  const { id, owner, runId, expiresAt, requestedAt } = approval
  const rows = await session.query(
    `INSERT INTO approvals (id, owner, run_id, position, expires_at, approval, answer)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
    [
      id,
      owner,
      runId,
      requestedAt * 1000 + position,
      expiresAt,
      JSON.stringify(approval),
      answer ? JSON.stringify(answer) : null,
    ],
  )
  return rows.length > 0
}

export function approvalIn(row: Row): Approval {
  return {
    ...jsonIn<Approval>(row['approval']),
    ...ifPresent('answer', row['answer'], (answer) => jsonIn<StoredAnswer>(answer)),
  }
}
